package io.entroq.workers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.api.Task;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkerListener;
import io.entroq.workers.WorkGateway.End;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides that a gateway ends, and tells the program and the log of that and of what is wrong
 * meanwhile. As the listener of the worker, it sees whether the queue is available. Thread-safe.
 */
final class GatewayEnding implements WorkerListener {
  private static final System.Logger LOGGER = System.getLogger(WorkGateway.class.getName());

  /**
   * An end.
   *
   * @param reason for people; empty if there is nothing to say
   */
  record Ended(End why, String reason) {
    static final Ended NOT_YET = new Ended(End.OK, "");
  }

  private final GatewayConnection connection;
  private final Outage outage;
  private final CompletableFuture<Ended> ended = new CompletableFuture<>();
  private final WorkerListener log = WorkerListener.logging();

  /** Set before the program is told, so that it is told once. */
  private final AtomicBoolean isDecided = new AtomicBoolean();

  private volatile boolean isClosing;

  GatewayEnding(GatewayConnection connection, Duration unavailableMax) {
    this.connection = connection;
    outage = new Outage(unavailableMax);
  }

  /** Completed when it has ended. */
  CompletableFuture<Ended> ended() {
    return ended;
  }

  /** Whether it has ended, or does so just now. */
  boolean isEnded() {
    return isDecided.get();
  }

  /** Whether it has ended, or will as soon as its task allows. */
  boolean isEnding() {
    return isClosing || isEnded();
  }

  /** It is being closed: what ends from now on is not the reason. */
  void close() {
    isClosing = true;
  }

  /** The worker has ended, which it does by itself only if the queue is closed. */
  void workerEnded() {
    if (isClosing) {
      isDecided.set(true);
      ended.complete(new Ended(End.OK, ""));
    } else {
      fail(End.GATEWAY, "the queue was closed");
    }
  }

  /** The program has hung up, for this reason, if there is one. */
  void hangUp(String why) {
    if (!isDecided.getAndSet(true) && !why.isEmpty()) {
      LOGGER.log(System.Logger.Level.WARNING, "the program has hung up: " + why);
    }
    ended.complete(new Ended(End.OK, why));
  }

  /** Tells the program why, and ends. */
  void fail(End why, String message) {
    if (isDecided.getAndSet(true)) {
      return;
    }
    LOGGER.log(System.Logger.Level.WARNING, message);
    try {
      connection.tell(error(why, message));
    } finally {
      ended.complete(new Ended(why, message));
    }
  }

  static ObjectNode error(End why, String reason) {
    ObjectNode error = GatewayConnection.message("error");
    return error.put("class", why.text()).put("message", Results.shorten(reason));
  }

  @Override
  public void onClaimed(Task claimed) {
    outage.end();
  }

  @Override
  public void onCommitted(Task committed, Outcome outcome) {
    outage.end();
    log.onCommitted(committed, outcome);
  }

  @Override
  public void onHandlerFailed(Task failed, Throwable failure) {
    log.onHandlerFailed(failed, failure);
  }

  @Override
  public void onOutcomeUnknown(Task unknown, Outcome outcome) {
    log.onOutcomeUnknown(unknown, outcome);
  }

  /** Gives up after a time. */
  @Override
  public void onQueueFailed(Throwable failure, Duration pause) {
    log.onQueueFailed(failure, pause);
    String message = "the queue is not available: " + failure.getMessage();
    if (outage.isTooLong(System.nanoTime())) {
      fail(End.TRANSIENT, message);
    } else if (!isEnded()) {
      connection.tell(error(End.TRANSIENT, message));
    }
  }
}
