package io.entroq.console.web;

/** Where the pages are that others lead to. */
public final class Places {
  private Places() {}

  /** The page of a queue. */
  public static String queue(String name) {
    return PageUrls.to("/queue", "name", name);
  }

  /** The page of a task. */
  public static String task(String id) {
    return PageUrls.to("/task", "id", id);
  }

  /**
   * The page that asks before an action is done, and that does it.
   *
   * @param parameters names and values in turn
   */
  public static String action(String action, String... parameters) {
    return PageUrls.to("/do/" + action, parameters);
  }
}
