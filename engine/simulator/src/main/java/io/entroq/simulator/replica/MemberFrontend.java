package io.entroq.simulator.replica;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.IdentityPrefix;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Ending;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service.ReplyEnd;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Passes callers' requests to the gateway of a member's engine, and the answers back, as a server
 * does. One thread.
 */
final class MemberFrontend {
  private static final Reply EXHAUSTED = new Reply(Ending.EXHAUSTED, null);
  private static final Reply UNAVAILABLE = new Reply(Ending.UNAVAILABLE, null);
  private static final int ANSWER_BYTES_MAX = 4 << 20;
  private static final long TELL_NS_MOST = 100_000;
  private static final long SLOW_TELL_NS_MOST = 4_000_000_000L;

  /** Answers that take long to leave, and callers who are gone by then. */
  private static final int SLOW_ONE_IN = 25;

  private static final int CUT_ONE_IN = 300;

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

  private final ArrayDeque<Left> left = new ArrayDeque<>();
  private final ArrayDeque<Due> due = new ArrayDeque<>();

  /** The newest record that anybody has been told of here. */
  private long told;

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

  /** A caller who waits for an answer. */
  private final class Asking implements Completion {
    private final Request request;
    private final ReplyEnd end;

    /** Whether the record that an answer names is the one of this request. */
    private boolean isOwnRecord;

    private RevocableClaim claim;

    /** His own, if he has one and claims by it. */
    private Identity identity;

    private boolean isAnswered;

    Asking(Request request, ReplyEnd end) {
      this.request = request;
      this.end = end;
    }

    @Override
    public void onResult(ResultDecoder answer) {
      isAnswered = true;
      Reply reply = Reply.of(answer);
      long most = random.oneIn(SLOW_ONE_IN) ? SLOW_TELL_NS_MOST : TELL_NS_MOST;
      life.in(random.between(1, most), () -> tell(reply));
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

    private void tell(Reply reply) {
      result.wrap(reply.result(), 0, reply.result().capacity());
      if (isOwnRecord) {
        DirectBuffer command = request.command();
        records.requireAnswers(
            life.toString(), result.sequence(), crc.of(command, 0, command.capacity()));
      }
      if (claim != null && random.oneIn(CUT_ONE_IN)) {
        // He is gone before he is told.
        claim.cancel();
        return;
      }
      note(request, result.sequence());
      end.reply(request, reply);
      if (claim != null) {
        claim.settle();
        if (identity != null && result.claimedCount() > 0) {
          left.add(new Left(identity, life.nowNs()));
        }
      }
    }
  }

  private void note(Request request, long sequence) {
    told = Math.max(told, sequence);
    positions.note(request.client(), sequence);
  }

  /** An answer with tasks that has left. */
  private record Left(Identity identity, long atNs) {}

  /** An answer that is to come, as nobody waits for a task. */
  private record Due(Asking asking, long sinceNs) {}

  /**
   * What has left by some time is known in the log, as nothing has been in the way since.
   *
   * @param observer has executed all records
   */
  void requireSaid(long byNs, StateMachine observer) {
    for (Left next = left.peek(); next != null && next.atNs <= byNs; next = left.peek()) {
      Identity said = left.poll().identity;
      Invariant.LOG_KNOWS_WHAT_HAS_LEFT.require(
          !observer.wouldGiveBack(said.clientHigh(), said.clientLow(), said.number()),
          said,
          "said by " + life,
          "nothing");
    }
  }

  /** Whoever has been taken in by some time has been answered. */
  void requireAnswered(long byNs) {
    for (Due next = due.peek(); next != null && next.sinceNs <= byNs; next = due.peek()) {
      Request request = due.poll().asking.request;
      Invariant.MEMBER_ANSWERS.require(
          next.asking.isAnswered, "client " + request.client(), "an answer of " + life, request);
    }
  }

  /** A caller asks for something. */
  void take(Request request, ReplyEnd end) {
    try {
      if (request.isRead()) {
        read(request, end);
      } else if (request.type() != RecordType.ACKNOWLEDGE) {
        // What has left is said by the member.
        write(request, new Asking(request, end));
      }
    } catch (EntroQException.ResourceExhausted e) {
      end.reply(request, EXHAUSTED);
    }
    life.wake();
  }

  private void write(Request request, Asking asking) {
    submit(request, asking);
    boolean waits = request.type() == RecordType.CLAIM && claim.waits();
    if (!waits) {
      due.add(new Due(asking, life.nowNs()));
    }
    while (!due.isEmpty() && due.peek().asking.isAnswered) {
      due.poll();
    }
  }

  private void submit(Request request, Asking asking) {
    DirectBuffer command = request.command();
    int length = command.capacity();
    switch (request.type()) {
      case RecordType.CLAIM -> claim(command, length, asking);
      case RecordType.MODIFY -> modify(command, length, asking);
      case RecordType.CLAIM_DOCS ->
          gateway.claimDocs(length, ANSWER_BYTES_MAX, buffer -> copy(command, buffer, 0), asking);
      case RecordType.CANCEL -> {
        cancel.wrap(command, 0, length);
        Identity identity =
            new Identity(cancel.clientHigh(), cancel.clientLow(), cancel.requestNumber(), 1);
        gateway.cancelClaim(identity, asking);
      }
      default -> throw new IllegalArgumentException("type " + request.type());
    }
  }

  private void claim(DirectBuffer command, int length, Asking asking) {
    claim.wrap(command, 0, length);
    if (!claim.hasIdentity()) {
      asking.claim =
          gateway.claim(length, (buffer, lent) -> writeUnder(lent, command, buffer), asking);
      return;
    }
    Identity own =
        new Identity(
            claim.clientHigh(), claim.clientLow(), claim.requestNumber(), claim.ackedBelow());
    asking.identity = own;
    if (claim.waits()) {
      asking.claim =
          gateway.waitingClaim(own, length, (buffer, same) -> copy(command, buffer, 0), asking);
    } else {
      asking.isOwnRecord = true;
      asking.claim = gateway.claim(own, length, (buffer, same) -> copy(command, buffer, 0), asking);
    }
  }

  private void modify(DirectBuffer command, int length, Asking asking) {
    modify.wrap(command, 0, length);
    asking.isOwnRecord = modify.hasIdentity();
    if (!modify.hasThenClaim()) {
      gateway.modify(length, buffer -> copy(command, buffer, 0), asking);
    } else if (modify.hasIdentity()) {
      Identity own =
          new Identity(
              modify.clientHigh(), modify.clientLow(), modify.requestNumber(), modify.ackedBelow());
      asking.identity = own;
      asking.claim =
          gateway.claimingModify(own, length, (buffer, same) -> copy(command, buffer, 0), asking);
    } else {
      asking.claim =
          gateway.claimingModify(
              length, (buffer, lent) -> writeUnder(lent, command, buffer), asking);
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
    MemberRead reading = reading(request, reply -> answer(request, end, reply), told);
    if (position <= told) {
      life.in(1, reading::begin);
      return;
    }
    gateway.reached(
        position,
        MemberRead.PATIENCE_NS,
        new Completion() {
          @Override
          public void onResult(ResultDecoder answer) {
            boolean isThere = answer.code() == ResultCodes.OK;
            life.in(1, () -> onReached(reading, position, isThere));
          }

          @Override
          public void onFailure(EntroQException failure) {
            life.in(1, () -> onReached(reading, position, false));
          }
        });
  }

  /**
   * A listing that has not begun.
   *
   * @param own the newest record that anybody has been told of here
   */
  MemberRead reading(Request request, Consumer<Reply> taker, long own) {
    return new MemberRead(life, gateway, ledger, request, taker, own);
  }

  private static void onReached(MemberRead reading, long position, boolean isThere) {
    if (isThere) {
      reading.beginFrom(position);
    } else {
      reading.fail();
    }
  }

  private void answer(Request request, ReplyEnd end, Reply reply) {
    if (reply.ending() == Ending.RESULT) {
      result.wrap(reply.result(), 0, reply.result().capacity());
      note(request, result.sequence());
    }
    end.reply(request, reply);
  }
}
