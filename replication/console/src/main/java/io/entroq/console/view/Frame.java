package io.entroq.console.view;

import io.entroq.console.user.Role;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What surrounds a page: head, navigation, user.
 *
 * @param title of the page
 * @param section which entry of the navigation is marked
 * @param sections the entries of the navigation, in order
 * @param user the name
 * @param hasLogout whether the user can log out
 * @param token that forms send back in a field named {@code csrf}
 * @param problems how many there are; negative if nobody knows
 * @param isFragment whether only the content is asked for, since the browser has the rest
 * @param self the URL that a live page loads itself from; empty if it does not change
 * @param past empty if the page is of now
 * @param assets the URL of a script or style by its file name
 */
public record Frame(
    String title,
    Section section,
    List<Section> sections,
    String user,
    Role role,
    boolean hasLogout,
    String token,
    int problems,
    boolean isFragment,
    String self,
    Optional<Past> past,
    UnaryOperator<String> assets) {
  /** An entry of the navigation. */
  public enum Section {
    OVERVIEW("Overview", ""),
    QUEUES("Queues", "/queues"),
    DEAD("Dead letters", "/dead"),
    WORKERS("Workers", "/workers"),
    CLUSTER("Cluster", "/cluster"),
    TIME("Time", "/time"),
    /** A page that is in none. */
    NONE("", "");

    private final String label;
    private final String path;

    Section(String label, String path) {
      this.label = label;
      this.path = path;
    }

    public String label() {
      return label;
    }

    /** The path of its page, after that of the console. */
    public String path() {
      return path;
    }

    /** The URL of its page. */
    public String url() {
      return "/console" + path;
    }
  }

  /**
   * The same, with what is known when the page is.
   *
   * @param count of problems
   * @param url as {@link #self}
   */
  public Frame with(int count, String url) {
    return new Frame(
        title,
        section,
        sections,
        user,
        role,
        hasLogout,
        token,
        count,
        isFragment,
        url,
        past,
        assets);
  }

  /** The same of the past. */
  public Frame asOf(Past then) {
    return new Frame(
        title,
        section,
        sections,
        user,
        role,
        hasLogout,
        token,
        problems,
        isFragment,
        self,
        Optional.of(then),
        assets);
  }

  /**
   * The URL of a page: of the past, if this one is.
   *
   * @param now of the page of now
   */
  public String url(String now) {
    return past.map(then -> then.url(now)).orElse(now);
  }

  /** The URL of a script or style. */
  public String asset(String name) {
    return assets.apply(name);
  }
}
