"""Take the pictures of the reports: of a table that is made up, with chromium and chromedriver.

Run it after a change of the pages: ``python docs/make_report_pictures.py``.
"""

from __future__ import annotations

import base64
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cutwise import MRmDDiscretizer
from cutwise.report import write_monitoring_report, write_report

FOLDER = Path(__file__).parent
WIDTH = 1240
PURPOSES = ("car", "education", "holiday", "home", "medical", "small business")


def loans(n_rows: int, seed: int, drift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return made-up loans and what became of them."""
    random = np.random.default_rng(seed)
    income = np.exp(random.normal(10.4, 0.7, n_rows)).round(-1)
    age = random.integers(18, 80, n_rows).astype(float)
    arrears = random.poisson(np.exp(random.normal(-1.2 + drift, 1.1, n_rows))).astype(float)
    inquiries = random.poisson(1.5, n_rows).astype(float)
    purpose = random.integers(0, len(PURPOSES), n_rows)
    risk = -2.0 - 0.7 * (np.log(income) - 10.4) - 0.02 * (age - 45) + 0.6 * np.minimum(arrears, 5) + 0.2 * inquiries
    risk += np.array([-0.4, 0.1, 0.2, -0.5, 0.3, 0.8])[purpose]
    late = random.random(n_rows) < 1 / (1 + np.exp(-risk))
    income[random.random(n_rows) < 0.06] = np.nan
    table = {
        "income": income,
        "age": age,
        "arrears": arrears,
        "inquiries": inquiries,
        "purpose": np.array(PURPOSES)[purpose],
    }
    return pd.DataFrame(table), np.where(late, "late", "paid")


def write_pages(folder: Path) -> None:
    """Write both reports."""
    X, y = loans(6000, 0)
    fitted = MRmDDiscretizer(confirm=0.01, max_bins=6, place="readable").fit(X, y)
    held = fitted.scheme_.evaluate(*loans(2000, 1, drift=0.4))
    write_report(folder / "report.html", fitted, X, y, title="Who pays late?", evaluation=held)
    months = [loans(600, month, drift=0.1 * month) for month in range(1, 13)]
    later = pd.concat([part for part, _ in months], ignore_index=True)
    later["opened"] = np.repeat(pd.date_range("2025-01-01", periods=12, freq="MS").to_numpy(), 600)
    found = fitted.scheme_.evaluate(later, np.concatenate([late for _, late in months]), by="month")
    write_monitoring_report(folder / "periods.html", found, "Who pays late, by month")


def open_browser() -> Any:
    """Return a browser without a window."""
    from selenium import webdriver  # noqa: PLC0415
    from selenium.webdriver.chrome.service import Service  # noqa: PLC0415

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={WIDTH},2200"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def take(browser: Any, page: Path, selector: str, name: str, height: float) -> None:
    """Save a picture of an element of a page, at most so high."""
    browser.get(page.as_uri())
    place = (
        "document.querySelector('.toolbar')?.style.setProperty('position', 'static');"
        "const node = document.querySelector(arguments[0]); node.scrollIntoView();"
        "const box = node.getBoundingClientRect(); return [box.x + scrollX, box.y + scrollY, box.width, box.height]"
    )
    for _ in range(2):
        x, y, width, full = browser.execute_script(place, selector)
        time.sleep(0.5)
    clip = {"x": x, "y": y, "width": width, "height": min(full, height), "scale": 1}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
    FOLDER.joinpath(name).write_bytes(base64.b64decode(shot["data"]))


def main() -> None:
    """Write the pages, look at them and save the pictures."""
    with tempfile.TemporaryDirectory() as folder:
        write_pages(Path(folder))
        browser = open_browser()
        try:
            report, periods = Path(folder, "report.html"), Path(folder, "periods.html")
            take(browser, report, "section:has(> #overview)", "report-overview.png", 420)
            take(browser, report, "#attribute-2", "report-column.png", 860)
            take(browser, periods, "section:has(> #attributes)", "report-periods.png", 880)
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
