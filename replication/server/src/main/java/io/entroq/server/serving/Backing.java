package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.admin.AdminService;
import io.entroq.service.http.Health;
import io.entroq.service.metrics.Metrics;
import io.entroq.tools.terminal.CommandException;
import java.util.Optional;

/** What a server stands on: it begins before the server does, and ends after it. Any thread. */
interface Backing extends AutoCloseable {
  /** Takes what callers ask. */
  Gateway gateway();

  /** Tells of itself in numbers, from now on. */
  void measure(Metrics metrics);

  /** What is kept, where, and what an answer promises. */
  String said();

  /** What it is at, for people, in some words that follow its name. */
  String standing();

  /** Answers operators. */
  AdminService admin();

  /** How it is; empty: as it answers. */
  Optional<Health> health();

  /**
   * Returns if it takes requests, now or in a while.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   * @throws CommandException for the same reason
   */
  void requireOpen();

  @Override
  void close();
}
