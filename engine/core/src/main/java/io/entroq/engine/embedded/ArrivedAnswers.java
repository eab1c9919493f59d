package io.entroq.engine.embedded;

import io.entroq.codec.command.AcknowledgeEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;

/**
 * Which answers to claims have arrived that the log does not know of yet. The next claim of a lane
 * says so of the one before it; but where none follows, a claim would be given back when the
 * process is killed, however long its caller has had the task. So what has been quiet for a while
 * is said in one record for all of it. Whoever has the {@link EngineSeat}.
 */
final class ArrivedAnswers {
  /** Between two looks; a lane that has no claim in between is quiet. */
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

  /** Of a lane in the command: three numbers and what goes around them. */
  private static final int CLIENT_BYTES_MAX = 40;

  private final List<Quiet> lanes = new ArrayList<>();
  private boolean isDue;
  private long dueNs;

  /** A lane has been used for the first time. */
  void add(Lane lane) {
    lanes.add(new Quiet(lane));
  }

  /** The state has forgotten a lane, so that it is not used any more. */
  void remove(Lane lane) {
    lanes.removeIf(quiet -> quiet.lane == lane);
  }

  /** How many lanes there are. */
  int lanes() {
    return lanes.size();
  }

  /** Something has happened that may have answered a claim. */
  void look() {
    if (!isDue && !lanes.isEmpty()) {
      isDue = true;
      dueNs = System.nanoTime() + QUIET_NS;
    }
  }

  /** How long until it is time; {@link Long#MAX_VALUE}: there is nothing to look for. */
  long nanosUntilDue() {
    return isDue ? Math.max(0, dueNs - System.nanoTime()) : Long.MAX_VALUE;
  }

  /** Whether it is time. */
  boolean isDue() {
    return isDue && dueNs - System.nanoTime() <= 0;
  }

  /** There is no room to say anything now. */
  void putOff() {
    dueNs = System.nanoTime() + QUIET_NS;
  }

  /** How long what is to be said may be, in bytes. */
  int lengthMax() {
    return lanes.size() * CLIENT_BYTES_MAX;
  }

  /**
   * Looks at all lanes.
   *
   * @return the length of what is to be said; 0: nothing
   */
  int encode(MutableDirectBuffer buffer) {
    isDue = false;
    int length = 0;
    boolean isAnyNew = false;
    AcknowledgeEncoder acknowledge = null;
    for (Quiet quiet : lanes) {
      if (quiet.isUnsaid()) {
        if (acknowledge == null) {
          acknowledge = new AcknowledgeEncoder().wrap(buffer, 0);
        }
        quiet.say(acknowledge);
        length = acknowledge.length();
      } else {
        isAnyNew |= quiet.isNew();
      }
    }
    if (isAnyNew) {
      look();
    }
    return length;
  }

  /**
   * Says of all lanes that their answers have arrived: when the engine closes, and nobody waits any
   * more.
   *
   * @return the length of what is to be said; 0: nothing
   */
  int encodeAll(MutableDirectBuffer buffer) {
    if (lanes.isEmpty()) {
      return 0;
    }
    AcknowledgeEncoder acknowledge = new AcknowledgeEncoder().wrap(buffer, 0);
    lanes.forEach(quiet -> quiet.say(acknowledge));
    return acknowledge.length();
  }

  /** A lane, and what was seen of it last. */
  private static final class Quiet {
    private final Lane lane;
    private long seen;
    private long said;

    Quiet(Lane lane) {
      this.lane = lane;
    }

    /** Whether its newest answer had arrived before the last look, and the log does not say so. */
    boolean isUnsaid() {
      return said < lane.loggedNumber() && seen == lane.loggedNumber() && lane.hasArrived();
    }

    /** Whether its newest answer has arrived since the last look. */
    boolean isNew() {
      boolean isNew = seen != lane.loggedNumber() && lane.hasArrived();
      if (isNew) {
        seen = lane.loggedNumber();
      }
      return isNew;
    }

    void say(AcknowledgeEncoder acknowledge) {
      said = lane.loggedNumber();
      acknowledge.client(lane.clientHigh(), lane.clientLow(), said + 1);
    }
  }
}
