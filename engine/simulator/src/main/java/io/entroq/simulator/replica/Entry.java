package io.entroq.simulator.replica;

import io.entroq.simulator.check.Invariant;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An entry on its way to the log or in it, and the state of the first member after applying it,
 * which the other members must reach too.
 */
final class Entry {
  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  /** What an entry is. */
  enum Kind {
    /** A session begins. */
    OPEN,
    /** A member's proposal in a session. */
    PROPOSAL,
    /** A deadline has come. */
    TIMER,
    /** A session has ended. */
    CLOSE
  }

  final Kind kind;

  /** Null for a timer. */
  final Session session;

  /** The leader's term that a proposal is meant for. */
  final long term;

  final DirectBuffer proposal;

  private long index;
  private long timeMs;
  private long committedNs;
  private boolean isLost;
  private boolean isLast;
  private boolean isKnown;
  private long sequence;
  private long history;
  private long content;
  private long holders;

  private Entry(Kind kind, Session session, long term, DirectBuffer proposal) {
    this.kind = kind;
    this.session = session;
    this.term = term;
    this.proposal = proposal;
  }

  static Entry open(Session session) {
    return new Entry(Kind.OPEN, session, 0, NOTHING);
  }

  static Entry proposal(Session session, long term, DirectBuffer bytes) {
    return new Entry(Kind.PROPOSAL, session, term, bytes);
  }

  static Entry timer() {
    return new Entry(Kind.TIMER, null, 0, NOTHING);
  }

  static Entry close(Session session) {
    return new Entry(Kind.CLOSE, session, 0, NOTHING);
  }

  /** Sets the time by the clock of the leader that accepted the entry. */
  void setTime(long nowMs) {
    timeMs = nowMs;
  }

  /** The entry has its final index in the log. */
  void commit(long at, long nowNs) {
    index = at;
    committedNs = nowNs;
  }

  /** The entry will never be in the log. */
  void lose() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  /** Marks the end of an engine's last session. */
  void markLast() {
    isLast = true;
  }

  /** Whether the engine had no other open session. */
  boolean isLast() {
    return isLast;
  }

  /** Its index in the log, from 1; 0: none yet. */
  long index() {
    return index;
  }

  /** When a leader accepted it, by the leader's clock. */
  long timeMs() {
    return timeMs;
  }

  long committedNs() {
    return committedNs;
  }

  /** Whether any member has applied it. */
  boolean isKnown() {
    return isKnown;
  }

  /** A member has applied it; all members must reach the same state. */
  void requireSame(String who, long newest, long historyDigest, long contentDigest, long heldBy) {
    if (!isKnown) {
      isKnown = true;
      sequence = newest;
      history = historyDigest;
      content = contentDigest;
      holders = heldBy;
      return;
    }
    if (newest != sequence
        || historyDigest != history
        || contentDigest != content
        || heldBy != holders) {
      throw Invariant.REPLICAS_AGREE.broken(
          "entry " + index,
          text(sequence, history, content, holders) + " as elsewhere",
          text(newest, historyDigest, contentDigest, heldBy) + " at " + who);
    }
  }

  private static String text(long newest, long history, long content, long heldBy) {
    return "@" + newest + ' ' + hex(history) + ' ' + hex(content) + ' ' + hex(heldBy);
  }

  static String hex(long digest) {
    return String.format(Locale.ROOT, "%016x", digest);
  }
}
