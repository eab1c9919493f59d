package io.entroq.tools.importing;

import io.entroq.tools.terminal.WaitBar;

/** Shows a bar for each phase. */
final class BarView implements ImportView {
  private String doing = "";
  private WaitBar bar = WaitBar.ofItems("", 0, "", false);

  @Override
  public void at(String what, long done, long total) {
    if (!what.equals(doing)) {
      bar.close();
      doing = what;
      bar = WaitBar.ofItems(what, total, "items", true);
    }
    bar.at(done);
  }

  @Override
  public void close() {
    bar.close();
  }
}
