package io.entroq.simulator.replica;

import io.entroq.codec.record.Crc32c;
import io.entroq.simulator.check.Invariant;
import java.util.Locale;
import org.agrona.DirectBuffer;

/**
 * A command on its way to the log or in it, and what became of it where it was applied first:
 * wherever else it is applied, the same has to become of it.
 */
final class Entry {
  final int type;
  final DirectBuffer command;
  final int crc;

  /** Whose member proposes it, or the one that it closes; null: a matter of the log itself. */
  final Session session;

  /** The number of the proposal in its session; 0: none that anybody waits for. */
  final long proposal;

  /** Whether it may be in the log twice, as whoever applies it knows it again. */
  final boolean isRepeatable;

  private long sequence;
  private long timeMs;
  private long committedNs;
  private boolean isLost;
  private boolean isKnown;
  private long history;
  private long content;
  private long results;

  Entry(int type, DirectBuffer command, Session session, long proposal, boolean isRepeatable) {
    this.type = type;
    this.command = command;
    this.crc = new Crc32c().of(command, 0, command.capacity());
    this.session = session;
    this.proposal = proposal;
    this.isRepeatable = isRepeatable;
  }

  /** The same command once more. */
  Entry again() {
    return new Entry(type, command, session, proposal, isRepeatable);
  }

  /** A leader has taken it in, by his clock. */
  void stamp(long nowMs) {
    timeMs = nowMs;
  }

  /** Its place in the log is decided, for good. */
  void commit(long place, long leastTimeMs, long nowNs) {
    sequence = place;
    timeMs = Math.max(timeMs, leastTimeMs);
    committedNs = nowNs;
  }

  /** It never gets into the log. */
  void lose() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  long sequence() {
    return sequence;
  }

  long timeMs() {
    return timeMs;
  }

  long committedNs() {
    return committedNs;
  }

  /** Whether it has been applied anywhere. */
  boolean isKnown() {
    return isKnown;
  }

  /** The first member has applied it. */
  void became(long historyDigest, long contentDigest, long resultsHash) {
    history = historyDigest;
    content = contentDigest;
    results = resultsHash;
    isKnown = true;
  }

  /** Another member has applied it, or the same one once more. */
  void requireSame(String who, long historyDigest, long contentDigest, long resultsHash) {
    requireState(who, historyDigest, contentDigest);
    require(resultsHash == results, who, "answers " + hex(results), hex(resultsHash));
  }

  /** A member has the state that is said to be the one behind this entry. */
  void requireState(String who, long historyDigest, long contentDigest) {
    require(historyDigest == history, who, "history " + hex(history), hex(historyDigest));
    require(contentDigest == content, who, "content " + hex(content), hex(contentDigest));
  }

  private void require(boolean isSame, String who, String expected, String actual) {
    Invariant.REPLICAS_AGREE.require(
        isSame, "@" + sequence, expected + " as elsewhere", actual + " at " + who);
  }

  private static String hex(long digest) {
    return String.format(Locale.ROOT, "%016x", digest);
  }
}
