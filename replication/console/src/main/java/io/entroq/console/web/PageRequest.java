package io.entroq.console.web;

import io.entroq.console.user.Role;
import io.entroq.console.user.Session;
import io.entroq.console.user.User;
import io.entroq.console.view.Frame;
import io.entroq.service.http.SiteRequest;

/** A request of a user. Immutable; any thread. */
public final class PageRequest {
  private final SiteRequest source;
  private final String path;
  private final Parameters parameters;
  private final Parameters form;
  private final Session session;
  private final boolean isFragment;
  private final Frames frames;

  /**
   * @param source as it came
   * @param path after that of the console
   * @param form of a POST
   * @param isFragment whether a script asks for the part of the page that changes
   */
  PageRequest(
      SiteRequest source,
      String path,
      Parameters parameters,
      Parameters form,
      Session session,
      boolean isFragment,
      Frames frames) {
    this.source = source;
    this.path = path;
    this.parameters = parameters;
    this.form = form;
    this.session = session;
    this.isFragment = isFragment;
    this.frames = frames;
  }

  /** The request as it came, for logging in. */
  public SiteRequest source() {
    return source;
  }

  /** The path after that of the console, as its route names it. */
  public String path() {
    return path;
  }

  /** The parameters of the URL. */
  public Parameters parameters() {
    return parameters;
  }

  /** The fields of the form; none unless it is a POST. */
  public Parameters form() {
    return form;
  }

  /** Who asks. */
  public User user() {
    return session.user();
  }

  public Session session() {
    return session;
  }

  /** Whether the user may do what a role may. */
  public boolean may(Role role) {
    return user().role().includes(role);
  }

  /** What surrounds the page, for the layout; also holds the token that forms send back. */
  public Frame frame(String title, Frame.Section section) {
    return frames.frame(session, title, section, isFragment);
  }
}
