package io.entroq.service.admission;

import io.entroq.service.call.Resource;
import io.entroq.service.call.Service;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The bounds of a server, over all that it serves. Any thread. */
public final class Admission implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;
  private final int answerBytesMax;
  private final Room requests;
  private final Room claims;
  private final Room listings;
  private final Room streams;
  private final List<Room> rooms;

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
    Line line = new Line(config, timer);
    Budget bytes = new Budget(Resource.CALL_BYTES, config.bytesMax());
    requests = new Room("requests", Resource.REQUESTS, config.requestsMax(), bytes, false, line);
    claims = new Room("waiting claims", Resource.CLAIMS, config.claimsMax(), bytes, true, line);
    // Apart from the rest, and those that are read piece by piece apart from the others: their
    // readers may be slow, and hold nobody up but each other.
    listings = listings("listings", Resource.LISTINGS, Resource.LISTING_BYTES, config, line);
    streams = listings("streams of tasks", Resource.STREAMS, Resource.STREAM_BYTES, config, line);
    rooms = List.of(requests, claims, listings, streams);
  }

  private static Room listings(
      String sort, Resource places, Resource bytes, AdmissionConfig config, Line line) {
    return new Room(
        sort, places, config.requestsMax(), new Budget(bytes, config.bytesMax() / 2), true, line);
  }

  /** A service whose calls go on when it is their turn. */
  public Service before(Service service) {
    return new AdmittedService(this, service);
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
    return rooms.stream().mapToInt(Room::waiting).sum();
  }

  int answerBytesMax() {
    return answerBytesMax;
  }

  Room requests() {
    return requests;
  }

  Room claims() {
    return claims;
  }

  Room listings() {
    return listings;
  }

  Room streams() {
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
