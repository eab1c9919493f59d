package io.entroq.simulator.replica;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.IdentityPrefix;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.result.ListTasksEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.task.TaskView;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Status;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Passes requests to the gateway of a member's engine and answers back to the callers, as a server
 * does. One thread.
 */
final class MemberFrontend {
  private static final Reply EXHAUSTED = new Reply(Status.EXHAUSTED, null);
  private static final Reply UNAVAILABLE = new Reply(Status.UNAVAILABLE, null);
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final long DELIVERY_NS_MOST = 100_000;
  private static final long SLOW_DELIVERY_NS_MOST = 4_000_000_000L;

  /** One answer in so many takes long to leave. */
  private static final int SLOW_ONE_IN = 25;

  private static final int CUT_ONE_IN = 300;

  /** Instead of a version. */
  private static final int TASK_GONE = -1;

  private final MemberLife life;
  private final Gateway gateway;
  private final SeededRandom random;
  private final ReferenceRecords records;
  private final ClientPositions positions;
  private final Ledger ledger;
  private final ClaimDecoder claim = new ClaimDecoder();
  private final ModifyDecoder modify = new ModifyDecoder();
  private final CancelDecoder cancel = new CancelDecoder();
  private final IdentityPrefix prefix = new IdentityPrefix();
  private final ResultDecoder result = new ResultDecoder();
  private final Crc32c crc = new Crc32c();
  private final IdFields id = new IdFields();
  private final ListTasksEncoder list = new ListTasksEncoder();
  private final ListTasksDecoder query = new ListTasksDecoder();
  private final ExpandableArrayBuffer listed = new ExpandableArrayBuffer();

  private final ArrayDeque<Delivered> delivered = new ArrayDeque<>();
  private final ArrayDeque<Due> due = new ArrayDeque<>();

  /** The version of the task that was looked for. */
  private int found;

  /** The newest record that this member has shown to anyone. */
  private long newestShown;

  MemberFrontend(
      MemberLife life,
      Gateway gateway,
      SeededRandom random,
      ReferenceRecords records,
      ClientPositions positions,
      Ledger ledger) {
    this.life = life;
    this.gateway = gateway;
    this.random = random;
    this.records = records;
    this.positions = positions;
    this.ledger = ledger;
  }

  /** A request that waits for its answer. */
  private final class PendingCall implements Completion {
    private final Request request;
    private final ReplyEnd end;

    /** Whether the answer must name the record of this request. */
    private boolean isOwnRecord;

    private RevocableClaim claim;

    /** The caller's identity, for a claim. */
    private Identity identity;

    private boolean isAnswered;

    PendingCall(Request request, ReplyEnd end) {
      this.request = request;
      this.end = end;
    }

    @Override
    public void onResult(ResultDecoder answer) {
      isAnswered = true;
      Reply reply = Reply.of(answer);
      long most = random.oneIn(SLOW_ONE_IN) ? SLOW_DELIVERY_NS_MOST : DELIVERY_NS_MOST;
      life.in(random.between(1, most), () -> deliver(reply));
    }

    @Override
    public void onFailure(EntroQException failure) {
      isAnswered = true;
      if (failure instanceof EntroQException.OutcomeUnknown) {
        return;
      }
      boolean isFull = failure instanceof EntroQException.ResourceExhausted;
      life.in(1, () -> end.reply(request, isFull ? EXHAUSTED : UNAVAILABLE));
    }

    private void deliver(Reply reply) {
      result.wrap(reply.result(), 0, reply.result().capacity());
      if (isOwnRecord) {
        DirectBuffer command = request.command();
        records.requireAnswers(
            life.toString(), result.sequence(), crc.of(command, 0, command.capacity()));
      }
      if (claim != null && random.oneIn(CUT_ONE_IN)) {
        // The caller disappears before the answer is delivered.
        claim.cancel();
        return;
      }
      note(request, result.sequence());
      end.reply(request, reply);
      if (claim != null) {
        claim.settle();
        if (identity != null && result.claimedCount() > 0) {
          delivered.add(new Delivered(identity, reply, life.nowNs()));
        }
      }
    }
  }

  private void note(Request request, long sequence) {
    newestShown = Math.max(newestShown, sequence);
    positions.note(request.client(), sequence);
  }

  /** An answer with tasks that was delivered. */
  private record Delivered(Identity identity, Reply reply, long atNs) {}

  /** A request that must be answered soon, because it does not wait for tasks. */
  private record Due(PendingCall call, long sinceNs) {}

  /**
   * Fails unless the log records all deliveries until some time; only if nothing has disturbed the
   * member since.
   *
   * @param observer has executed all records
   */
  void requireLogged(long byNs, StateMachine observer) {
    for (Delivered next = delivered.peek();
        next != null && next.atNs <= byNs;
        next = delivered.peek()) {
      Identity identity = delivered.poll().identity;
      Invariant.LOG_KNOWS_WHAT_HAS_LEFT.require(
          !observer.wouldRevoke(identity.clientHigh(), identity.clientLow(), identity.number())
              || isOver(next, observer),
          identity,
          "recorded by " + life,
          "nothing");
    }
  }

  /**
   * Whether no delivered task is as it was delivered. Once its member was presumed gone, a caller
   * may have claimed anew under the same number; that has a delivery of its own.
   */
  private boolean isOver(Delivered past, StateMachine observer) {
    result.wrap(past.reply.result(), 0, past.reply.result().capacity());
    for (int i = 0; i < result.claimedCount(); i++) {
      TaskDecoder task = result.claimed(i);
      int length = list.wrap(listed, 0).id(id.set(task.idHigh(), task.idLow())).length();
      query.wrap(listed, 0, length);
      found = TASK_GONE;
      observer.listTasks(new TaskCursor(query), 0, Integer.MAX_VALUE, this::find);
      if (found == task.version()) {
        return false;
      }
    }
    return true;
  }

  private boolean find(TaskView task) {
    found = task.version();
    return true;
  }

  /** Fails unless all requests accepted until some time are answered. */
  void requireAnswered(long byNs) {
    for (Due next = due.peek(); next != null && next.sinceNs <= byNs; next = due.peek()) {
      Request request = due.poll().call.request;
      Invariant.MEMBER_ANSWERS.require(
          next.call.isAnswered, "client " + request.client(), "an answer of " + life, request);
    }
  }

  void take(Request request, ReplyEnd end) {
    try {
      if (request.isRead()) {
        read(request, end);
      } else if (request.type() != RecordType.ACKNOWLEDGE) {
        // The member itself reports deliveries.
        write(request, new PendingCall(request, end));
      }
    } catch (EntroQException.ResourceExhausted e) {
      end.reply(request, EXHAUSTED);
    }
    life.wake();
  }

  private void write(Request request, PendingCall call) {
    submit(request, call);
    boolean waits = request.type() == RecordType.CLAIM && claim.waits();
    if (!waits) {
      due.add(new Due(call, life.nowNs()));
    }
    while (!due.isEmpty() && due.peek().call.isAnswered) {
      due.poll();
    }
  }

  private void submit(Request request, PendingCall call) {
    DirectBuffer command = request.command();
    int length = command.capacity();
    switch (request.type()) {
      case RecordType.CLAIM -> claim(command, length, call);
      case RecordType.MODIFY -> modify(command, length, call);
      case RecordType.CLAIM_DOCS ->
          gateway.claimDocs(length, ANSWER_BYTES_MAX, buffer -> copy(command, buffer, 0), call);
      case RecordType.CANCEL -> {
        cancel.wrap(command, 0, length);
        Identity identity =
            new Identity(cancel.clientHigh(), cancel.clientLow(), cancel.requestNumber(), 1);
        gateway.cancelClaim(identity, call);
      }
      default -> throw new IllegalArgumentException("type " + request.type());
    }
  }

  private void claim(DirectBuffer command, int length, PendingCall call) {
    claim.wrap(command, 0, length);
    if (!claim.hasIdentity()) {
      call.claim = gateway.claim(length, (buffer, lent) -> writeUnder(lent, command, buffer), call);
      return;
    }
    Identity own =
        new Identity(
            claim.clientHigh(), claim.clientLow(), claim.requestNumber(), claim.ackedBelow());
    call.identity = own;
    if (claim.waits()) {
      call.claim =
          gateway.waitingClaim(own, length, (buffer, same) -> copy(command, buffer, 0), call);
    } else {
      call.isOwnRecord = true;
      call.claim = gateway.claim(own, length, (buffer, same) -> copy(command, buffer, 0), call);
    }
  }

  private void modify(DirectBuffer command, int length, PendingCall call) {
    modify.wrap(command, 0, length);
    call.isOwnRecord = modify.hasIdentity();
    if (!modify.hasThenClaim()) {
      gateway.modify(length, ANSWER_BYTES_MAX, buffer -> copy(command, buffer, 0), call);
    } else if (modify.hasIdentity()) {
      Identity own =
          new Identity(
              modify.clientHigh(), modify.clientLow(), modify.requestNumber(), modify.ackedBelow());
      call.identity = own;
      call.claim =
          gateway.claimingModify(
              own, length, ANSWER_BYTES_MAX, (buffer, same) -> copy(command, buffer, 0), call);
    } else {
      call.claim =
          gateway.claimingModify(
              length, ANSWER_BYTES_MAX, (buffer, lent) -> writeUnder(lent, command, buffer), call);
    }
  }

  private int writeUnder(Identity lent, DirectBuffer command, MutableDirectBuffer buffer) {
    int length =
        prefix.write(
            buffer, 0, lent.clientHigh(), lent.clientLow(), lent.number(), lent.ackedBelow());
    return length + copy(command, buffer, length);
  }

  static int copy(DirectBuffer command, MutableDirectBuffer buffer, int at) {
    buffer.putBytes(at, command, 0, command.capacity());
    return command.capacity();
  }

  private void read(Request request, ReplyEnd end) {
    long position = positions.of(request.client());
    MemberRead reading = reading(request, reply -> answer(request, end, reply), newestShown);
    if (position <= newestShown) {
      life.in(1, reading::begin);
      return;
    }
    gateway.reached(
        position,
        MemberRead.PATIENCE_NS,
        new Completion() {
          @Override
          public void onResult(ResultDecoder answer) {
            boolean isReached = answer.code() == ResultCodes.OK;
            life.in(1, () -> onReached(reading, position, isReached));
          }

          @Override
          public void onFailure(EntroQException failure) {
            life.in(1, () -> onReached(reading, position, false));
          }
        });
  }

  /**
   * A listing that has not started.
   *
   * @param own the newest record that this member has shown to anyone
   */
  MemberRead reading(Request request, Consumer<Reply> taker, long own) {
    return new MemberRead(life, gateway, ledger, request, taker, own);
  }

  private static void onReached(MemberRead reading, long position, boolean isReached) {
    if (isReached) {
      reading.beginFrom(position);
    } else {
      reading.fail();
    }
  }

  private void answer(Request request, ReplyEnd end, Reply reply) {
    if (reply.status() == Status.RESULT) {
      result.wrap(reply.result(), 0, reply.result().capacity());
      note(request, result.sequence());
    }
    end.reply(request, reply);
  }
}
