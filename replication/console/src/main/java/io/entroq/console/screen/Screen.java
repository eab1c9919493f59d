package io.entroq.console.screen;

import io.entroq.console.read.Visit;
import io.entroq.console.view.Page;
import io.entroq.console.web.Parameters;

/** Makes one of the pages. Any thread. */
@FunctionalInterface
public interface Screen {
  /**
   * Makes the page for a visitor. May block for as long as the visit's reads do.
   *
   * @throws io.entroq.console.call.CallFailedException if a question was refused without which
   *     there is no page
   */
  Page show(Visit visit);

  /**
   * Whether it may read for longer than a page waits usually.
   *
   * @param parameters of the URL
   */
  default boolean isSlow(Parameters parameters) {
    return false;
  }
}
