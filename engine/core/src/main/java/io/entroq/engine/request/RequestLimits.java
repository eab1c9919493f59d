package io.entroq.engine.request;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits what callers may have in flight: requests, waiting claims, and bytes. Any thread.
 *
 * <p>Only requests above {@link #SMALL_BYTES} count against the bytes, so the common case takes one
 * permit.
 */
public final class RequestLimits {
  /** Requests up to this size do not count against the bytes in flight. */
  static final int SMALL_BYTES = 4 * 1024;

  private static final int UNIT_BYTES = 1024;

  /** More than can ever be requested; added to the permits in use it is still an int. */
  private static final int OPEN_GATE = Integer.MAX_VALUE / 4;

  private final Semaphore requests;
  private final Semaphore waitingClaims;
  private final Semaphore byteUnits;
  private final AtomicBoolean isOpen = new AtomicBoolean();
  private final int requestsMax;
  private final int waitingClaimsMax;
  private final int byteUnitsMax;

  public RequestLimits(int requestsMax, int waitingClaimsMax, long bytesMax) {
    this.requestsMax = requestsMax;
    this.waitingClaimsMax = waitingClaimsMax;
    requests = new Semaphore(requestsMax);
    waitingClaims = new Semaphore(waitingClaimsMax);
    byteUnitsMax = (int) Math.min(OPEN_GATE, bytesMax / UNIT_BYTES);
    // Fair, so that small shares do not starve large ones.
    byteUnits = new Semaphore(byteUnitsMax, true);
  }

  private int unitsOf(long bytes) {
    if (bytes <= SMALL_BYTES) {
      return 0;
    }
    return (int) Math.min(byteUnitsMax, (bytes + UNIT_BYTES - 1) / UNIT_BYTES);
  }

  /** Waits for a permit for one more request; false if there is none within the time. */
  public boolean acquireRequest(boolean waits, long timeoutNs) throws InterruptedException {
    Semaphore permits = waits ? waitingClaims : requests;
    return permits.tryAcquire() || permits.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
  }

  /** Takes a permit for one more request if there is one. */
  public boolean acquireRequestNow(boolean waits) {
    return (waits ? waitingClaims : requests).tryAcquire();
  }

  /** Takes permits for the bytes if there are enough, ahead of waiting callers. */
  public boolean acquireBytesNow(RequestSlot slot, long bytes) {
    int units = unitsOf(bytes);
    if (units > 0 && !byteUnits.tryAcquire(units)) {
      return false;
    }
    slot.byteUnits = units;
    return true;
  }

  /** Requests in flight, without waiting claims; approximate. */
  public int requestsUnderWay() {
    return Math.max(0, requestsMax - requests.availablePermits());
  }

  /** Returns all permits of the slot. */
  public void release(RequestSlot slot) {
    releaseBytes(slot);
    (slot.waits ? waitingClaims : requests).release();
  }

  /** Waits for permits for the bytes; false if there are not enough within the time. */
  public boolean acquireBytes(RequestSlot slot, long bytes, long timeoutNs)
      throws InterruptedException {
    int units = unitsOf(bytes);
    if (units > 0 && !byteUnits.tryAcquire(units, timeoutNs, TimeUnit.NANOSECONDS)) {
      return false;
    }
    slot.byteUnits = units;
    return true;
  }

  /** Returns the slot's permits for bytes, which it needs only for its command. */
  void releaseBytes(RequestSlot slot) {
    if (slot.byteUnits > 0) {
      byteUnits.release(slot.byteUnits);
      slot.byteUnits = 0;
    }
  }

  /** The refusal for lack of a permit. */
  public String describeRequests(boolean waits) {
    return waits
        ? "limit waitingClaimsMax: %,d claims wait, as many as it allows"
            .formatted(waitingClaimsMax)
        : "limit requestsInFlightMax: %,d requests are in flight, as many as it allows"
            .formatted(requestsMax);
  }

  /** The refusal for lack of bytes. */
  public String describeBytes(long bytes) {
    return ("limit bytesInFlightMax: no room for a request of %,d bytes, as the requests in flight hold"
            + " nearly the %,d bytes that it allows")
        .formatted(bytes, (long) byteUnitsMax * UNIT_BYTES);
  }

  /** Releases all waiting callers, as the engine takes no more requests. Idempotent. */
  public void open() {
    if (!isOpen.compareAndSet(false, true)) {
      return;
    }
    requests.release(OPEN_GATE);
    waitingClaims.release(OPEN_GATE);
    byteUnits.release(OPEN_GATE);
  }
}
