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
 * Which answers with claimed tasks have left that the log does not know of yet. The next request of
 * a client says so of those before it; but where none follows, a claim would be given back when the
 * process is killed, however long its caller has had the task. So what has been quiet for a while
 * is said in one record for all of it: of the engine's lanes that the answer has arrived, since
 * nobody can ask for it again, and of a caller's own requests that it has left. Whoever has the
 * {@link EngineOwnership}.
 *
 * <p>It looks at intervals at the lanes whose answers it does not know to have left, or to be known
 * in the log; with none it has nothing to look for, however many claims wait. What it holds is
 * bounded by the requests under way and {@link #MORE_MAX}: with so many more than after the last
 * look the next one begins at once.
 */
public final class DeliveryAcks {
  /** Between two looks; what has left by one of them, and is unsaid at the next, is quiet. */
  static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(800);

  /** Lanes in one piece of a look, and answers in one record. */
  static final int PIECE_MAX = 256;

  static final int MORE_MAX = 16_384;

  /** Of a lane in the command: three numbers and what goes around them. */
  private static final int CLIENT_BYTES_MAX = 40;

  private final Predicate<Lane> isOfUseToCaller;
  private final LongSupplier nanoTime;

  /** The engine's own, from their first claims on. */
  private final List<Lane> own = new ArrayList<>();

  private final AcknowledgeEncoder acknowledge = new AcknowledgeEncoder();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();

  /** Those whose answers are looked for. */
  private Lane[] lanes = new Lane[PIECE_MAX];

  private int count;

  /** The first that this look has not come to; those that stay are moved to the front. */
  private int next;

  private int kept;

  /** With so many it is time for the next look. */
  private int countMax = MORE_MAX;

  private long dueNs;
  private boolean isClosing;
  private boolean isHurried;

  /** Of one piece, those that belong to callers and are to be said. */
  private final Lane[] left = new Lane[PIECE_MAX];

  /**
   * @param isOfUseToCaller whether it is worth saying that the answer to a claim under its caller's
   *     own identity has left
   * @param nanoTime as {@link System#nanoTime()}
   */
  public DeliveryAcks(Predicate<Lane> isOfUseToCaller, LongSupplier nanoTime) {
    this.isOfUseToCaller = isOfUseToCaller;
    this.nanoTime = nanoTime;
  }

  /**
   * Of an engine whose opening gives back what was not said.
   *
   * @param machine its state
   */
  public static DeliveryAcks of(StateMachine machine) {
    return new DeliveryAcks(
        lane -> machine.wouldGiveBack(lane.clientHigh(), lane.clientLow(), lane.number()),
        System::nanoTime);
  }

  /** One of the engine's lanes has been used for the first time. */
  public void add(Lane lane) {
    own.add(lane);
  }

  /** The state has forgotten one of them, so that it is not used any more. */
  public void remove(Lane lane) {
    own.removeIf(each -> each == lane);
  }

  /** How many of them there are. */
  public int lanes() {
    return own.size();
  }

  /** The present claim of a lane has been answered with tasks; the answer has not left yet. */
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

  /** How long until it is time to look; {@link Long#MAX_VALUE}: there is nothing to look for. */
  public long nanosUntilDue() {
    return count == 0 ? Long.MAX_VALUE : Math.max(0, dueNs - nanoTime.getAsLong());
  }

  /** Where acknowledgments go. */
  public interface Target {
    /** Whether there is room for an acknowledgment of that length. */
    boolean hasRoom(int bytesMax);

    /** Logs or proposes an Acknowledge, which lies at the start of a buffer until this returns. */
    void acknowledge(DirectBuffer buffer, int length);
  }

  /**
   * Looks at a piece of the lanes if it is time and there is room.
   *
   * @return whether there was something to acknowledge, or may be in the next piece
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
   * Acknowledges everything, as the engine closes and nobody waits any more: all lanes of the
   * engine, and every answer that has left.
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

  /** Whether a look has begun and not ended. */
  public boolean isLooking() {
    return next > 0;
  }

  /** Whether there is nothing to look for. */
  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Looks at a piece of the lanes.
   *
   * @return the length of what is to be said; 0: nothing
   */
  int encode(MutableDirectBuffer buffer) {
    acknowledge.wrap(buffer, 0);
    int leftCount = 0;
    int end = Math.min(count, next + PIECE_MAX);
    for (; next < end; next++) {
      Lane lane = lanes[next];
      if (isToStay(lane)) {
        lanes[kept++] = lane;
        continue;
      }
      lane.lookFor(false);
      if (isToSay(lane)) {
        if (lane.isCallers()) {
          left[leftCount++] = lane;
        } else {
          say(lane);
        }
      }
    }
    for (int i = 0; i < leftCount; i++) {
      acknowledge.delivered(left[i].clientHigh(), left[i].clientLow(), left[i].number(), 0);
      left[i] = null;
    }
    if (next == count) {
      endLook();
    }
    return acknowledge.length();
  }

  /** Whether its answer has not left yet, or has since the last look only. */
  private boolean isToStay(Lane lane) {
    if (isClosing || lane.isOverEarly()) {
      return false;
    }
    return !lane.hasArrived() || (isOfUse(lane) && !isHurried && !lane.quiet());
  }

  private boolean isToSay(Lane lane) {
    boolean isSaidAlready = isClosing && !lane.isCallers();
    return !isSaidAlready && !lane.isOverEarly() && lane.hasArrived() && isOfUse(lane);
  }

  private boolean isOfUse(Lane lane) {
    return !lane.isCallers() || isOfUseToCaller.test(lane);
  }

  private void say(Lane lane) {
    acknowledge.client(lane.clientHigh(), lane.clientLow(), 0, lane.loggedNumber() + 1);
  }

  private void endLook() {
    Arrays.fill(lanes, kept, count, null);
    count = kept;
    next = 0;
    kept = 0;
    countMax = count + MORE_MAX;
    dueNs = nanoTime.getAsLong() + QUIET_NS;
  }

  /**
   * It is time for a look, and from here on {@link #encode} says what has arrived without waiting
   * for it to be quiet: nothing more will be asked.
   */
  public void hurry() {
    isHurried = true;
    dueNs = nanoTime.getAsLong();
  }

  /**
   * The engine closes: from here on {@link #encode} does not wait for anything to be quiet, and
   * lets go what has not left.
   */
  public void close() {
    isClosing = true;
    dueNs = nanoTime.getAsLong();
  }

  /**
   * Says of all lanes of the engine's that their answers have arrived: when the engine closes, and
   * nobody waits any more; and then {@link #close closes}.
   *
   * @return the length of what is to be said; 0: nothing
   */
  int encodeAll(MutableDirectBuffer buffer) {
    close();
    acknowledge.wrap(buffer, 0);
    own.forEach(this::say);
    return acknowledge.length();
  }
}
