package io.entroq.simulator.replica;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.Invariant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.agrona.DirectBuffer;

/**
 * The engine that each caller used last, according to the log. When that engine is gone, the
 * undelivered claims of its callers, and no others, must be given back. One thread.
 */
final class CallerRegistry {
  private final StateMachine observer;
  private final Map<Caller, Long> held = new HashMap<>();
  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final ClaimDocsDecoder claimDocs = new ClaimDocsDecoder();
  private Set<Caller> othersBefore = Set.of();
  private long recordsBefore;
  private long dueMs;

  /** The two halves of an identity. */
  private record Caller(long high, long low) {
    @Override
    public String toString() {
      return Entry.hex(high) + Entry.hex(low);
    }
  }

  /**
   * @param observer has executed all records
   */
  CallerRegistry(StateMachine observer) {
    this.observer = observer;
  }

  /**
   * A proposal of an engine has become a new record.
   *
   * @param incarnation of the engine
   */
  void onRecord(int type, DirectBuffer payload, int offset, int length, long incarnation) {
    switch (type) {
      case RecordType.CLAIM -> {
        claim.wrap(payload, offset, length);
        held.put(new Caller(claim.clientHigh(), claim.clientLow()), incarnation);
      }
      case RecordType.MODIFY -> {
        modify.wrap(payload, offset, length);
        held.put(new Caller(modify.clientHigh(), modify.clientLow()), incarnation);
      }
      case RecordType.CLAIM_DOCS -> {
        claimDocs.wrap(payload, offset, length);
        held.put(new Caller(claimDocs.clientHigh(), claimDocs.clientLow()), incarnation);
      }
      default -> {
        // Not a request of a caller.
      }
    }
  }

  /** The callers of an engine are about to be declared gone. */
  void beforeGone(long incarnation) {
    recordsBefore = observer.sequence();
    dueMs = observer.nextDeadlineMs();
    othersBefore = claiming();
    othersBefore.removeIf(caller -> held.get(caller) == incarnation);
  }

  /** The callers of an engine were declared gone. */
  void afterGone(long incarnation) {
    Set<Caller> left = claiming();
    if (observer.sequence() <= recordsBefore + 1 && observer.logTimeMs() < dueMs) {
      // Further records are ticks, which end claims as well, as does time that the record brings.
      for (Caller other : othersBefore) {
        Invariant.GIVEN_BACK.require(
            left.contains(other), other, "kept, as another engine is gone", "given back");
      }
    }
    left.removeIf(caller -> held.get(caller) != incarnation);
    Invariant.GIVEN_BACK.require(
        left.isEmpty(), "the callers of " + Entry.hex(incarnation), "all given back", left);
  }

  private Set<Caller> claiming() {
    Set<Caller> claiming = new HashSet<>();
    observer.forEachClaiming((high, low) -> claiming.add(new Caller(high, low)));
    return claiming;
  }
}
