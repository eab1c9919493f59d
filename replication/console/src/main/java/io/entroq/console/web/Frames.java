package io.entroq.console.web;

import io.entroq.console.user.Session;
import io.entroq.console.view.Frame;
import java.util.function.IntSupplier;

/** Makes what surrounds pages. Any thread. */
final class Frames {
  private final Assets assets;
  private final CsrfTokens tokens;
  private final IntSupplier problems;
  private final boolean hasLogout;

  /**
   * @param problems how many there are now
   */
  Frames(Assets assets, CsrfTokens tokens, IntSupplier problems, boolean hasLogout) {
    this.assets = assets;
    this.tokens = tokens;
    this.problems = problems;
    this.hasLogout = hasLogout;
  }

  Frame frame(Session session, String title, Frame.Section section, boolean isFragment) {
    return new Frame(
        title,
        section,
        session.user().name(),
        session.user().role(),
        hasLogout,
        tokens.masked(session),
        problems.getAsInt(),
        isFragment,
        "",
        "",
        assets::url);
  }
}
