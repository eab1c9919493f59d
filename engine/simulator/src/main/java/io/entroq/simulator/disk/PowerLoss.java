package io.entroq.simulator.disk;

import java.util.Locale;

/** What a power loss left of unforced data. */
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

  /** Pages with some sectors written and some not. */
  public int pagesTorn() {
    return pagesTorn;
  }

  /** Changes of names that were undone. */
  public int namesUndone() {
    return namesUndone;
  }

  /**
   * Whether data may be lost that the disk had reported as forced. Also true if only later data of
   * the same file is lost.
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
        isPromiseBroken ? "; forced data may be among them" : "");
  }
}
