"""A real browser: Chromium without a window, steered by its driver."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
PATIENCE = 20.0


def needs_browser():
    """Skip a module where there is no browser to test with."""
    pytest.importorskip("selenium", reason="selenium is not installed; it steers the browser")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("chromium or chromedriver is not installed", allow_module_level=True)


@contextmanager
def open_browser(downloads):
    """Give a browser that saves files to a folder and notes every message and request."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,1000"):
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.set_capability("unhandledPromptBehavior", "ignore")
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def wait_for(condition):
    """Return what a condition returns, as soon as it holds."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "nothing happened in the browser"
        time.sleep(0.05)
    return found


class Report:
    """A page in the browser, as a person uses it."""

    def __init__(self, driver, path, ready=".toolbar"):
        self.driver, self.path = driver, path
        driver.get_log("browser"), driver.get_log("performance")
        driver.get(path.as_uri())
        wait_for(lambda: self.run("return document.querySelector(arguments[0]) !== null", ready))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def section(self, rank):
        self.run("document.getElementById(`attribute-${arguments[0]}`).scrollIntoView()", rank)
        return wait_for(lambda: self.found(f"#attribute-{rank}:has(.chart-frame)"))[0]

    def found(self, selector):
        return self.driver.find_elements("css selector", selector)

    def cuts(self, rank):
        texts = "return [...document.querySelectorAll(`#attribute-${arguments[0]} td.edit input`)].map((i) => i.value)"
        return list(map(float, self.run(texts, rank)))

    def rows(self, rank, table="bins"):
        script = (
            "return [...document.querySelectorAll(`#attribute-${arguments[0]} table.${arguments[1]} tbody tr`)]"
            ".map((row) => [...row.cells].map((cell) => cell.textContent))"
        )
        return self.run(script, rank, table)

    def add(self, rank, text):
        field = self.section(rank).find_element("css selector", ".add input")
        field.clear()
        field.send_keys(text, "\ue007")

    @property
    def spoken(self):
        return self.run("return document.getElementById('spoken').textContent")

    def press(self, name):
        self.found(f"#{name}")[0].click()

    def messages(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in sent if not url.startswith(("data:", "blob:"))]
