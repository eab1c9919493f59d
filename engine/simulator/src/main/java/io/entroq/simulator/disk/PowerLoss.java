package io.entroq.simulator.disk;

import java.util.Locale;

/** What a loss of power left of unforced data. */
public final class PowerLoss {
  private int pagesKept;
  private int pagesLost;
  private int pagesTorn;
  private int filesShortened;
  private int namesUndone;
  private boolean isPromiseBroken;

  PowerLoss() {}

  void onPageKept() {
    pagesKept++;
  }

  void onPageLost(boolean isTorn, boolean isPromised) {
    if (isTorn) {
      pagesTorn++;
    } else {
      pagesLost++;
    }
    isPromiseBroken |= isPromised;
  }

  void onShortened(boolean isPromised) {
    filesShortened++;
    isPromiseBroken |= isPromised;
  }

  void onNameUndone(boolean isPromised) {
    namesUndone++;
    isPromiseBroken |= isPromised;
  }

  /** Pages of which some sectors were written and some were not. */
  public int pagesTorn() {
    return pagesTorn;
  }

  /** Names that were made, removed or moved, and are as they were before. */
  public int namesUndone() {
    return namesUndone;
  }

  /**
   * Whether anything may be lost that the disk had said was forced. True also if only what was
   * written behind that to the same file is lost; false only if nothing is.
   */
  public boolean isPromiseBroken() {
    return isPromiseBroken;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "pages: %d kept, %d lost, %d torn; %d files shortened, %d names undone%s",
        pagesKept,
        pagesLost,
        pagesTorn,
        filesShortened,
        namesUndone,
        isPromiseBroken ? "; what was forced may be among them" : "");
  }
}
