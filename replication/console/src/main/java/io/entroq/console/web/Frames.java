package io.entroq.console.web;

import io.entroq.console.user.Session;
import io.entroq.console.view.Frame;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes what surrounds pages. Any thread. */
final class Frames {
  private static final int PROBLEMS_UNKNOWN = -1;

  private final Assets assets;
  private final CsrfTokens tokens;
  private final boolean hasLogout;
  private final List<Frame.Section> sections;

  /**
   * @param router has all routes
   */
  Frames(Router router, Assets assets, CsrfTokens tokens) {
    this.assets = assets;
    this.tokens = tokens;
    hasLogout = router.find(true, PageSite.LOGOUT).isPresent();
    sections =
        Stream.of(Frame.Section.values())
            .filter(section -> section != Frame.Section.NONE)
            .filter(section -> router.find(false, section.path()).isPresent())
            .toList();
  }

  Frame frame(Session session, String title, Frame.Section section, boolean isFragment) {
    return new Frame(
        title,
        section,
        sections,
        session.user().name(),
        session.user().role(),
        hasLogout,
        tokens.masked(session),
        PROBLEMS_UNKNOWN,
        isFragment,
        "",
        Optional.empty(),
        assets::url);
  }
}
