package io.entroq.service.admission;

import io.entroq.service.call.Service;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The bounds of a server, over all that it serves. Any thread. */
public final class Admission implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;
  private final int answerBytesMax;
  private final ConcurrencyLimit requests;
  private final ConcurrencyLimit claims;
  private final ConcurrencyLimit listings;
  private final ConcurrencyLimit streams;
  private final List<ConcurrencyLimit> rooms;

  /** With room for so much. */
  public Admission(AdmissionConfig config) {
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "entroq-admission");
              thread.setDaemon(true);
              return thread;
            });
    timer.setRemoveOnCancelPolicy(true);
    answerBytesMax = config.answerBytesMax();
    WaitQueue line = new WaitQueue(config, timer);
    Budget bytes = new Budget(Limit.CALL_BYTES, config.bytesMax());
    requests =
        new ConcurrencyLimit("requests", Limit.REQUESTS, config.requestsMax(), bytes, false, line);
    claims =
        new ConcurrencyLimit("waiting claims", Limit.CLAIMS, config.claimsMax(), bytes, true, line);
    // Apart from the rest, and those that are read piece by piece apart from the others: their
    // readers may be slow, and hold nobody up but each other.
    listings = listings("listings", Limit.LISTINGS, Limit.LISTING_BYTES, config, line);
    streams = listings("streams of tasks", Limit.STREAMS, Limit.STREAM_BYTES, config, line);
    rooms = List.of(requests, claims, listings, streams);
  }

  private static ConcurrencyLimit listings(
      String sort, Limit places, Limit bytes, AdmissionConfig config, WaitQueue line) {
    return new ConcurrencyLimit(
        sort, places, config.requestsMax(), new Budget(bytes, config.bytesMax() / 2), true, line);
  }

  /** A service whose calls go on when it is their turn. */
  public Service before(Service service) {
    return new AdmissionService(this, service);
  }

  /** How many calls go on, waiting claims left out. */
  public int requestsUnderWay() {
    return requests.underWay() + listings.underWay() + streams.underWay();
  }

  /** How many claims wait for a task, or for their answers to leave. */
  public int claimsUnderWay() {
    return claims.underWay();
  }

  /** How many calls wait for their turn. */
  public int waiting() {
    return rooms.stream().mapToInt(ConcurrencyLimit::waiting).sum();
  }

  int answerBytesMax() {
    return answerBytesMax;
  }

  ConcurrencyLimit requests() {
    return requests;
  }

  ConcurrencyLimit claims() {
    return claims;
  }

  ConcurrencyLimit listings() {
    return listings;
  }

  ConcurrencyLimit streams() {
    return streams;
  }

  /** Lets calls go on that wait: some share their bytes with calls of another sort. */
  void admit() {
    // For each request twice: without an iterator.
    requests.admit();
    claims.admit();
    listings.admit();
    streams.admit();
  }

  /** Ends the clock; what waits is not refused for its time any more. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
