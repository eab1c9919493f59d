package io.entroq.engine.request;

import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.engine.state.StateMachine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Acknowledges in the log that claimed tasks have been delivered. A client's next request
 * acknowledges the ones before it. If none follows, recovery after a kill would return the tasks,
 * however long the caller has had them. So deliveries that nothing else has acknowledged for a
 * while are collected in one record. For the engine's lanes it states that the reply has arrived,
 * as it cannot be requested again; for a caller's own requests, that the reply was sent. For the
 * owner of the engine.
 *
 * <p>It scans, at intervals, the lanes whose deliveries are not yet known to be in the log; waiting
 * claims cost nothing. Memory is bounded by the requests in flight plus {@link #MORE_MAX}: that
 * many more than after the last scan start the next one at once.
 */
public final class DeliveryAcks {
  /** Between two scans. A delivery that is unacknowledged in two scans is quiet. */
  static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(800);

  /** Lanes per piece of a scan, and clients per record. */
  static final int PIECE_MAX = 256;

  static final int MORE_MAX = 16_384;

  /** Bytes of a lane in the command: three numbers and their tags. */
  private static final int CLIENT_BYTES_MAX = 40;

  private final Predicate<Lane> isUsefulForCaller;
  private final LongSupplier nanoTime;

  /** The engine's own lanes, from their first claims on. */
  private final List<Lane> own = new ArrayList<>();

  private final AcknowledgeEncoder acknowledge = new AcknowledgeEncoder();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  /** Lanes whose delivery is not yet known to be in the log. */
  private Lane[] lanes = new Lane[PIECE_MAX];

  private int count;

  /** The first lane that this scan has not reached; those that stay move to the front. */
  private int next;

  private int kept;

  /** This many lanes start the next scan. */
  private int countMax = MORE_MAX;

  private long dueNs;
  private boolean isClosing;
  private boolean isHurried;

  /** Callers' lanes of one piece that are to be acknowledged. */
  private final Lane[] left = new Lane[PIECE_MAX];

  /**
   * @param isUsefulForCaller whether acknowledging a claim under its caller's own identity changes
   *     anything
   * @param nanoTime as {@link System#nanoTime()}
   */
  public DeliveryAcks(Predicate<Lane> isUsefulForCaller, LongSupplier nanoTime) {
    this.isUsefulForCaller = isUsefulForCaller;
    this.nanoTime = nanoTime;
  }

  /** For an engine whose recovery returns unacknowledged claims. */
  public static DeliveryAcks of(StateMachine machine, LongSupplier nanoTime) {
    return new DeliveryAcks(
        lane -> machine.wouldRevoke(lane.clientHigh(), lane.clientLow(), lane.number()), nanoTime);
  }

  /** One of the engine's lanes is used for the first time. */
  public void add(Lane lane) {
    own.add(lane);
  }

  /** The state has forgotten a lane, so it is not used again. */
  public void remove(Lane lane) {
    own.removeIf(each -> each == lane);
  }

  /** How many lanes of the engine there are. */
  public int lanes() {
    return own.size();
  }

  /** The current claim of a lane has been answered with tasks; the reply has not left yet. */
  public void answered(Lane lane) {
    lane.answered();
    if (lane.isLookedFor()) {
      return;
    }
    lane.lookFor(true);
    if (count == 0) {
      dueNs = nanoTime.getAsLong() + QUIET_NS;
    }
    if (count == lanes.length) {
      lanes = Arrays.copyOf(lanes, count * 2);
    }
    lanes[count++] = lane;
    if (count == countMax) {
      dueNs = nanoTime.getAsLong();
    }
  }

  /** Nanoseconds until the next scan; {@link Long#MAX_VALUE}: there is nothing to scan. */
  public long nanosUntilDue() {
    return count == 0 ? Long.MAX_VALUE : Math.max(0, dueNs - nanoTime.getAsLong());
  }

  /** Where acknowledgments go. */
  public interface Target {
    /** Whether there is room for an acknowledgment of that length. */
    boolean hasRoom(int bytesMax);

    /** Logs or proposes an Acknowledge at the start of a buffer, which is reused afterwards. */
    void acknowledge(DirectBuffer buffer, int length);
  }

  /**
   * Scans the next piece if a scan is due and there is room.
   *
   * @return whether something was acknowledged or the scan continues
   */
  public boolean poll(Target target) {
    if (nanosUntilDue() > 0 || !target.hasRoom(PIECE_MAX * CLIENT_BYTES_MAX)) {
      return false;
    }
    int length = encode(buffer);
    pass(length, target);
    return length > 0 || isLooking();
  }

  /**
   * Acknowledges everything, as the engine closes and no caller waits: all lanes of the engine, and
   * every reply that was sent.
   */
  public void closeAndAcknowledge(Target target) {
    pass(encodeAll(buffer), target);
    while (!isEmpty()) {
      pass(encode(buffer), target);
    }
  }

  private void pass(int length, Target target) {
    if (length > 0) {
      target.acknowledge(buffer, length);
    }
  }

  /** There is no room for an acknowledgment now: looks again after the usual interval. */
  public void putOff() {
    dueNs = nanoTime.getAsLong() + QUIET_NS;
  }

  /** Whether a scan is in progress. */
  public boolean isLooking() {
    return next > 0;
  }

  /** Whether there is nothing to scan. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Encodes the acknowledgment of the next piece of the scan.
   *
   * @return its length in bytes; 0: there is nothing to acknowledge
   */
  int encode(MutableDirectBuffer buffer) {
    acknowledge.wrap(buffer, 0);
    int leftCount = 0;
    int end = Math.min(count, next + PIECE_MAX);
    for (; next < end; next++) {
      Lane lane = lanes[next];
      if (mustStay(lane)) {
        lanes[kept++] = lane;
        continue;
      }
      lane.lookFor(false);
      if (isDue(lane)) {
        if (lane.isCallers()) {
          left[leftCount++] = lane;
        } else {
          encodeClient(lane);
        }
      }
    }
    for (int i = 0; i < leftCount; i++) {
      acknowledge.delivered(left[i].clientHigh(), left[i].clientLow(), left[i].number(), 0);
      left[i] = null;
    }
    if (next == count) {
      endScan();
    }
    return acknowledge.length();
  }

  /** Whether the reply has not left yet, or only since the last scan. */
  private boolean mustStay(Lane lane) {
    if (isClosing || lane.isOverEarly()) {
      return false;
    }
    return !lane.hasArrived() || (isUseful(lane) && !isHurried && !lane.quiet());
  }

  private boolean isDue(Lane lane) {
    boolean isAcknowledged = isClosing && !lane.isCallers();
    return !isAcknowledged && !lane.isOverEarly() && lane.hasArrived() && isUseful(lane);
  }

  private boolean isUseful(Lane lane) {
    return !lane.isCallers() || isUsefulForCaller.test(lane);
  }

  private void encodeClient(Lane lane) {
    acknowledge.client(lane.clientHigh(), lane.clientLow(), 0, lane.loggedNumber() + 1);
  }

  private void endScan() {
    Arrays.fill(lanes, kept, count, null);
    count = kept;
    next = 0;
    kept = 0;
    countMax = count + MORE_MAX;
    dueNs = nanoTime.getAsLong() + QUIET_NS;
  }

  /**
   * Starts a scan now. From here on {@link #encode} does not wait for deliveries to be quiet, as no
   * more requests will come.
   */
  public void hurry() {
    isHurried = true;
    dueNs = nanoTime.getAsLong();
  }

  /**
   * The engine closes. From here on {@link #encode} does not wait for deliveries to be quiet, and
   * drops those that have not left.
   */
  public void close() {
    isClosing = true;
    dueNs = nanoTime.getAsLong();
  }

  /**
   * Acknowledges all lanes of the engine, whose callers wait no more, and {@link #close closes}.
   *
   * @return the length in bytes; 0: there is nothing to acknowledge
   */
  int encodeAll(MutableDirectBuffer buffer) {
    close();
    acknowledge.wrap(buffer, 0);
    own.forEach(this::encodeClient);
    return acknowledge.length();
  }
}
