package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.Gateway;
import io.entroq.service.admin.AdminService;
import io.entroq.service.http.Health;
import io.entroq.service.metrics.Metrics;
import io.entroq.tools.terminal.CommandException;
import java.util.Optional;

/** The queue behind a server: opened before the server starts, closed after it. Any thread. */
interface Backend extends AutoCloseable {
  /** Executes requests. */
  Gateway gateway();

  /** Registers its metrics. */
  void measure(Metrics metrics);

  /** Where the data is, and what a reply guarantees. */
  String description();

  /** The current status, as a predicate: "leads, term 3". */
  String status();

  /** The operations for administrators. */
  AdminService admin();

  /** Its health; empty: healthy while it answers. */
  Optional<Health> health();

  /**
   * Returns if it accepts requests, now or soon.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   * @throws CommandException for the same reason
   */
  void requireOpen();

  @Override
  void close();
}
