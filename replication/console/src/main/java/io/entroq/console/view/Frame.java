package io.entroq.console.view;

import io.entroq.console.user.Role;
import java.util.List;
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
 * @param asOf a time in the past that the page shows, in words; empty for now
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
    String asOf,
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
   * The same, for a page that loads its content again every two seconds.
   *
   * @param url of this very page
   */
  public Frame live(String url) {
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
        url,
        asOf,
        assets);
  }

  /** The same, with the number of problems. */
  public Frame problems(int count) {
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
        self,
        asOf,
        assets);
  }

  /** The same, for a page that shows the past. */
  public Frame asOf(String time) {
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
        time,
        assets);
  }

  /** Whether the user may change tasks and queues. */
  public boolean mayOperate() {
    return role.includes(Role.OPERATOR);
  }

  /** Whether the user may change policies and clear queues. */
  public boolean mayAdminister() {
    return role.includes(Role.ADMIN);
  }

  /** The URL of a script or style. */
  public String asset(String name) {
    return assets.apply(name);
  }
}
