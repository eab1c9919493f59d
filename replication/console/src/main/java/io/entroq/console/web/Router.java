package io.entroq.console.web;

import io.entroq.console.user.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The routes of the console. Paths begin after that of the console, and are exact: names go into
 * parameters, as they may hold anything. Filled at start by one thread; then any thread.
 */
public final class Router {
  private final Map<String, Route> pages = new TreeMap<>();
  private final Map<String, Route> actions = new TreeMap<>();

  /**
   * Adds a page that every user may see. It changes nothing.
   *
   * @param path such as {@code /queues}; empty for the overview
   */
  public Router page(String path, PageHandler handler) {
    return page(path, Role.VIEWER, handler);
  }

  /** Adds a page for users of a role, such as one that asks whether to go on. */
  public Router page(String path, Role least, PageHandler handler) {
    return add(pages, new Route(path, false, Optional.of(least), handler));
  }

  /** Adds what a form is sent to. */
  public Router action(String path, Role least, PageHandler handler) {
    return add(actions, new Route(path, true, Optional.of(least), handler));
  }

  /** Adds a page for everybody, logged in or not. */
  public Router openPage(String path, PageHandler handler) {
    return add(pages, new Route(path, false, Optional.empty(), handler));
  }

  /**
   * Adds what everybody may send a form to, logged in or not. The form needs no token: before the
   * login there is no session that it could belong to.
   */
  public Router openAction(String path, PageHandler handler) {
    return add(actions, new Route(path, true, Optional.empty(), handler));
  }

  private Router add(Map<String, Route> routes, Route route) {
    if (!route.path().matches("(/[a-z][a-z0-9.-]*)*")) {
      throw new IllegalArgumentException("not a path: " + route.path());
    }
    if (routes.put(route.path(), route) != null) {
      throw new IllegalArgumentException("two routes: " + route.path());
    }
    return this;
  }

  /** The route of a path. */
  Optional<Route> find(boolean isPost, String path) {
    return Optional.ofNullable((isPost ? actions : pages).get(path));
  }

  /** All routes, so that tests can try each. */
  public List<Route> all() {
    List<Route> all = new ArrayList<>(pages.values());
    all.addAll(actions.values());
    return all;
  }
}
