package io.entroq.simulator.replica;

import io.entroq.simulator.check.Invariant;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Something on its way to the log or in it, and what became of the first member that did it:
 * wherever else it is done, the same has to become of it.
 */
final class Entry {
  private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  /** What an entry is. */
  enum Kind {
    /** A session begins. */
    OPEN,
    /** What a member has proposed in a session. */
    PROPOSAL,
    /** A deadline has come. */
    TIMER,
    /** A session has come to an end. */
    CLOSE
  }

  final Kind kind;

  /** Null for a timer. */
  final Session session;

  /** Whose leader a proposal is meant for. */
  final long term;

  /** The bytes of a proposal. */
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

  /** A leader has taken it in, by his clock. */
  void setTime(long nowMs) {
    timeMs = nowMs;
  }

  /** Its place in the log is decided, for good. */
  void commit(long at, long nowNs) {
    index = at;
    committedNs = nowNs;
  }

  /** It never gets into the log. */
  void lose() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  /** It closes the last session of an engine. */
  void markLast() {
    isLast = true;
  }

  /** Whether no other session of the engine was open where it stands. */
  boolean isLast() {
    return isLast;
  }

  /** Where it stands in the log, from 1; 0: nowhere. */
  long index() {
    return index;
  }

  /** When a leader has taken it in, by his clock. */
  long timeMs() {
    return timeMs;
  }

  long committedNs() {
    return committedNs;
  }

  /** Whether any member has done it. */
  boolean isKnown() {
    return isKnown;
  }

  /** A member has done it: the first, or one of those of whom the same has to become. */
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
