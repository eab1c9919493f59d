package io.entroq.server.serving;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Views;
import io.entroq.service.admin.AdminService;
import io.entroq.service.http.Health;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.metrics.Metrics;
import io.entroq.tools.terminal.CommandException;
import java.util.Optional;

/** The queue behind a server: opened before the server starts, closed after it. Any thread. */
interface Backend extends AutoCloseable {
  Gateway gateway();

  /** The same queue. */
  EntroQ queue();

  /** What happens in the queue. */
  EffectFeed feed();

  /** The queue as of earlier points; empty if no history can be read here. */
  Optional<Views> views();

  /** Whether it writes a log. */
  boolean isLogged();

  /** Whether what only one process does for the queue is up to this one now. */
  boolean isInCharge();

  /** Registers the metrics of this backend. */
  void measure(Metrics metrics);

  /** What this backend says of itself, as far as problems follow from it. */
  ServerFigures figures();

  /** Where the data is and what a reply guarantees, for people. */
  String description();

  /** The current status, as a predicate: "leads, term 3". */
  String status();

  /** The operations for administrators. */
  AdminService admin();

  /** Health checks; empty if the backend is healthy as long as it runs. */
  Optional<Health> health();

  /**
   * Returns normally if the backend accepts requests now or will soon.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   * @throws CommandException for the same reason
   */
  void requireOpen();

  /** Whether it has stopped as an operator has asked for. */
  default boolean hasStopped() {
    return false;
  }

  @Override
  void close();
}
