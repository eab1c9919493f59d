package io.entroq.service.admission;

import io.entroq.service.admission.AdmissionTicket.Kind;
import io.entroq.service.call.Service;
import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** The concurrency limits of a server, over all its APIs and transports. Any thread. */
public final class Admission implements AutoCloseable {
  private final ScheduledThreadPoolExecutor timer;
  private final int responseBytesMax;
  private final ConcurrencyLimit requests;
  private final ConcurrencyLimit claims;
  private final ConcurrencyLimit listings;
  private final ConcurrencyLimit streams;
  private final List<ConcurrencyLimit> limits;

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
    responseBytesMax = config.responseBytesMax();
    WaitQueue queue = new WaitQueue(config, timer);
    Budget bytes = new Budget(Limit.CALL_BYTES, config.bytesMax());
    requests =
        new ConcurrencyLimit(
            new Budget(Limit.REQUESTS, config.requestsMax()),
            bytes,
            Kind.ONE_RESPONSE,
            false,
            queue);
    claims =
        new ConcurrencyLimit(
            new Budget(Limit.WAITING_CLAIMS, config.claimsMax()),
            bytes,
            Kind.ONE_RESPONSE,
            true,
            queue);
    // Listings and streams have limits of their own: their readers may be slow, and should delay
    // only each other.
    listings = listings(Limit.LISTINGS, Limit.LISTING_BYTES, Kind.LISTING, config, queue);
    streams = listings(Limit.STREAMS, Limit.STREAM_BYTES, Kind.STREAM, config, queue);
    limits = List.of(requests, claims, listings, streams);
  }

  private static ConcurrencyLimit listings(
      Limit calls, Limit bytes, Kind kind, AdmissionConfig config, WaitQueue queue) {
    return new ConcurrencyLimit(
        new Budget(calls, config.requestsMax()),
        new Budget(bytes, config.bytesMax() / 2),
        kind,
        true,
        queue);
  }

  /** Wraps a service so that calls start when the limits have room. */
  public Service before(Service service) {
    return new AdmissionService(this, service);
  }

  /** The number of running calls, except waiting claims. */
  public int requestsUnderWay() {
    return requests.running() + listings.running() + streams.running();
  }

  /** The number of claims that wait for a task or whose responses are still being sent. */
  public int claimsUnderWay() {
    return claims.running();
  }

  /** The number of calls that wait to be admitted. */
  public int waiting() {
    return limits.stream().mapToInt(ConcurrencyLimit::waiting).sum();
  }

  int responseBytesMax() {
    return responseBytesMax;
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

  /** Admits waiting calls of all limits, since some limits share their bytes. */
  void admit() {
    // Runs twice per request, so it avoids an iterator.
    requests.admit();
    claims.admit();
    listings.admit();
    streams.admit();
  }

  /** Stops the timer: waiting calls no longer time out. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
