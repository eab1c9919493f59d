package io.entroq.console.web;

import io.entroq.console.user.Session;
import io.entroq.service.http.SiteRequest;
import java.util.Optional;

/** Finds out who sends a request. Any thread; does not block. */
public interface Login extends AutoCloseable {
  /** Whether users log in. If not, the console is for whoever is on this machine, and no others. */
  boolean isRequired();

  /** Who sends a request; empty if nobody is logged in. */
  Optional<Session> session(SiteRequest request);

  /** Adds the pages to log in and out with. Without any, nobody can log out. */
  void addTo(Router router);

  @Override
  void close();
}
