package io.entroq.simulator.client;

import io.entroq.codec.message.IdFields;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/**
 * A client process, which makes calls while it lives. With an identity, it numbers its requests and
 * repeats each until it is answered. Without one, it gives up after a while with an unknown
 * outcome.
 */
final class Caller {
  /** The most requests from the oldest unanswered one to the newest. */
  private static final int WINDOW = 16;

  private static final KnownTask[] NOTHING = {};

  private final ClientContext context;
  private final Actor actor;
  private final int index;
  private final boolean isIdentified;
  private final boolean isV0;
  private final long high;
  private final long low;
  private final byte[] claimantText;
  private final long bornNs;
  private final Call[] open = new Call[WINDOW];
  private long nextNumber = 1;
  private long ackedBelow = 1;
  private int underWay;
  private boolean isDead;

  Caller(
      ClientContext context,
      Actor actor,
      int index,
      boolean isIdentified,
      boolean isV0,
      SeededRandom random) {
    this.context = context;
    this.actor = actor;
    this.index = index;
    this.isIdentified = isIdentified;
    this.isV0 = isV0;
    this.high = random.next() | 1;
    this.low = random.next();
    this.bornNs = context.events.nowNs();
    boolean hasText = !isV0 && random.oneIn(8);
    this.claimantText =
        hasText ? ("worker#" + index + "/" + low).getBytes(StandardCharsets.UTF_8) : new byte[0];
  }

  int index() {
    return index;
  }

  boolean isIdentified() {
    return isIdentified;
  }

  boolean isV0() {
    return isV0;
  }

  /** Upper half of the key of client and claimant. */
  long high() {
    return high;
  }

  long low() {
    return low;
  }

  void claimant(IdFields into) {
    into.set(high, low).text().wrap(claimantText);
  }

  long nextNumber() {
    return nextNumber;
  }

  /** All lower numbers are answered. */
  long ackedBelow() {
    return ackedBelow;
  }

  boolean isDead() {
    return isDead;
  }

  /** The process dies: it sends and receives nothing more. */
  void die() {
    isDead = true;
    for (Call call : open) {
      if (call != null) {
        call.isOver = true;
      }
    }
  }

  void cancelWaiting() {
    for (Call call : open) {
      if (call != null && call.waits && !call.isOver && !call.isCancelled) {
        actor.cancel(call);
      }
    }
  }

  /** The number of open calls. */
  int underWay() {
    return underWay;
  }

  /** The number of open calls that have not been refused since a time. */
  int unanswered(long sinceNs) {
    int unanswered = underWay;
    for (Call call : open) {
      if (call != null && !call.isOver && call.refusedNs >= sinceNs) {
        unanswered--;
      }
    }
    return unanswered;
  }

  /** Whether another request may be sent. The first one must be answered before the second. */
  boolean mayCall() {
    if (!isIdentified) {
      return true;
    }
    return nextNumber - ackedBelow < WINDOW && (ackedBelow > 1 || nextNumber == 1);
  }

  /** A new call, with the next number if it needs one; {@link #send} follows. */
  Call open(int type, DirectBuffer command) {
    boolean isNumbered = isIdentified && isNumbered(type);
    if (isNumbered && !mayCall()) {
      throw new IllegalStateException("too many requests under way for number " + nextNumber);
    }
    long number = isNumbered ? nextNumber++ : 0;
    Call call = newCall(type, command, number);
    if (isNumbered) {
      open[(int) (number % WINDOW)] = call;
      actor.refresh();
    }
    return call;
  }

  /** A new call with a wrong number; {@link #send} follows. */
  Call openRogue(int type, DirectBuffer command, long number) {
    Call call = newCall(type, command, number);
    call.isRogue = true;
    return call;
  }

  /** Repeats a call with an unknown outcome as a new call. */
  Call retry(Call first) {
    Request old = first.request;
    underWay++;
    Call call =
        new Call(this, context.nextSerial(), 0, old.type(), old.command(), context.events.nowNs());
    call.inserts = first.inserts;
    call.changes = first.changes;
    call.deletes = first.deletes;
    call.docs = first.docs;
    call.written = first.written;
    call.allowed = first.allowed | Call.bit(ResultCodes.DEPENDENCY);
    call.purpose = first.purpose;
    call.tasks = first.tasks;
    call.job = first.job;
    call.isRetry = true;
    call.limit = first.limit;
    call.leaseMs = first.leaseMs;
    call.sets = first.sets;
    call.matched = first.matched;
    call.queues = first.queues;
    send(call);
    return call;
  }

  /** Sends a request that has no answer. */
  void sendOnce(int type, DirectBuffer command) {
    Call call = new Call(this, context.nextSerial(), 0, type, command, context.events.nowNs());
    call.isOver = true;
    transmit(call);
  }

  private Call newCall(int type, DirectBuffer command, long number) {
    underWay++;
    return new Call(this, context.nextSerial(), number, type, command, context.events.nowNs());
  }

  private static boolean isNumbered(int type) {
    return type == RecordType.CLAIM || type == RecordType.MODIFY || type == RecordType.CLAIM_DOCS;
  }

  /** Sends a call for the first time or again. */
  void send(Call call) {
    transmit(call);
    context.timeouts.watch(call);
  }

  private void transmit(Call call) {
    call.sends++;
    int type = call.request.type();
    context.counters.sent(type, call.sends > 1);
    context.trace.add(call.serial << 8 | type);
    context.network.send(call.request);
  }

  /** A call has timed out. */
  void onTimeout(Call call) {
    if (isDead) {
      return;
    }
    if (isPersistent(call)) {
      send(call);
      if (call.isCancelled) {
        actor.cancel(call);
      }
    } else {
      end(call);
      actor.onUnknown(call);
      actor.refresh();
    }
  }

  /** Whether the call may be repeated without being executed twice. */
  private static boolean isPersistent(Call call) {
    return call.number != 0 || call.request.type() == RecordType.CANCEL;
  }

  void onReply(Call call, Reply reply) {
    if (reply.status() != Reply.Status.RESULT) {
      context.counters.refused();
      call.refusedNs = context.events.nowNs();
      if (!call.isOver && !isDead && !isPersistent(call)) {
        end(call);
        actor.onUnknown(call);
        actor.refresh();
      }
      return;
    }
    ResultDecoder result = context.result;
    result.wrap(reply.result(), 0, reply.result().capacity());
    context.logTime.observe(result.logTimeMs(), call.firstSentNs);
    context.trace.add(call.serial ^ result.sequence() << 24 ^ (long) result.code() << 56);
    KnownTask[] claimed =
        result.claimedCount() == 0 ? NOTHING : context.checks.claimed(call, result);
    if (call.code != 0) {
      context.checks.repeated(call, result);
      countRepeat(call, result);
    } else {
      answered(call, result, claimed);
    }
  }

  /** Without identity, a duplicated request may be executed twice. */
  private void countRepeat(Call call, ResultDecoder result) {
    if (call.number == 0 && result.code() == ResultCodes.OK && result.sequence() != call.sequence) {
      context.counters.assumed(call.inserts, call.deletes);
    }
  }

  private void answered(Call call, ResultDecoder result, KnownTask[] claimed) {
    context.checks.first(call, result);
    context.counters.answered(result.code());
    if (result.code() == ResultCodes.OK && call.request.type() == RecordType.MODIFY) {
      context.counters.committed(result.insertedCount(), call.deletes);
    }
    if (!call.isOver && !isDead) {
      end(call);
      if (result.code() == ResultCodes.OUTCOME_UNKNOWN && !call.isRogue) {
        actor.onForgotten();
      } else {
        actor.onAnswer(call, result, claimed);
      }
      actor.refresh();
    }
  }

  /** Whether the engine may have forgotten this process. */
  boolean mayBeForgotten() {
    return context.mayBeLost(bornNs);
  }

  private void end(Call call) {
    call.isOver = true;
    underWay--;
    while (ackedBelow < nextNumber && isAnswered(ackedBelow)) {
      open[(int) (ackedBelow % WINDOW)] = null;
      ackedBelow++;
    }
  }

  private boolean isAnswered(long number) {
    Call call = open[(int) (number % WINDOW)];
    return call == null || call.isOver;
  }
}
