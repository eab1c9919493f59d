package io.entroq.simulator.client;

import io.entroq.codec.command.CallersGoneEncoder;
import io.entroq.codec.command.GenesisEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.runtime.EncodingSink;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.call.PagedRead;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Service;
import io.entroq.simulator.virtual.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** The real state machine, served without a log. */
public final class MachineService extends EncodingSink implements Service {
  private static final long NS_PER_MS = 1_000_000;

  private record Waiting(Request request, ReplyEnd replies) {}

  private final EventQueue events;
  private final long startMs;
  private final long seed;
  private StateMachine machine;
  private final Crc32c crc = new Crc32c();
  private final Long2ObjectHashMap<List<Waiting>> waiting = new Long2ObjectHashMap<>();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
  private Waiting present;
  private long answering;
  private long timerMs = Long.MAX_VALUE;

  public MachineService(EventQueue events, long startMs, long seed) {
    this.events = events;
    this.startMs = startMs;
    this.seed = seed;
    forget();
  }

  /** Starts again without tasks, receipts and callers. */
  void forget() {
    if (machine != null) {
      machine.close();
    }
    machine = new StateMachine(StateMachineConfig.DEFAULT);
    waiting.clear();
    ExpandableArrayBuffer genesis = new ExpandableArrayBuffer();
    int length =
        new GenesisEncoder()
            .wrap(genesis, 0)
            .logIdHigh(1)
            .logIdLow(2)
            .seed(seed)
            .level(Levels.MAX)
            .createdMs(startMs)
            .length();
    apply(RecordType.GENESIS, genesis, length);
  }

  public StateMachine machine() {
    return machine;
  }

  private long nowMs() {
    return startMs + events.nowNs() / NS_PER_MS;
  }

  private void apply(int type, DirectBuffer command, int length) {
    machine.apply(
        type,
        command,
        0,
        length,
        crc.of(command, 0, length),
        nowMs(),
        machine.sequence() + 1,
        this);
  }

  private void tick() {
    while (machine.nextDeadlineMs() <= nowMs()) {
      apply(RecordType.TICK, new UnsafeBuffer(new byte[0]), 0);
    }
  }

  /** Continues as an engine that is opened after another one. */
  public void reopen() {
    tick();
    ExpandableArrayBuffer gone = new ExpandableArrayBuffer();
    waiting.clear();
    apply(RecordType.CALLERS_GONE, gone, new CallersGoneEncoder().wrap(gone, 0).all(true).length());
  }

  @Override
  public void onRequest(Request request, ReplyEnd replies) {
    tick();
    if (request.isRead()) {
      PagedRead read = new PagedRead(request, ReadWatcher.NONE);
      replies.reply(request, read.readAll(machine, nowMs(), Integer.MAX_VALUE));
      return;
    }
    present = new Waiting(request, replies);
    DirectBuffer command = request.command();
    int length = command.capacity();
    if (machine.prepare(request.type(), command, 0, length, nowMs()) == StateMachine.ANSWER) {
      machine.answer(this);
    } else {
      machine.commit(machine.sequence() + 1, crc.of(command, 0, length), this);
    }
    present = null;
    arm();
  }

  private void arm() {
    long dueMs = machine.nextDeadlineMs();
    if (dueMs < timerMs) {
      timerMs = dueMs;
      events.at(
          Math.max(0, dueMs - startMs) * NS_PER_MS,
          () -> {
            // Unless a later, earlier timer has already armed the next.
            if (timerMs == dueMs) {
              timerMs = Long.MAX_VALUE;
              tick();
              arm();
            }
          });
    }
  }

  @Override
  public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
    boolean isOwn = present != null && (requestSequence == 0 || requestSequence == stepSequence);
    answering = isOwn ? 0 : requestSequence;
    begin(buffer, code, stepSequence, logTimeMs);
  }

  @Override
  public void onEnd() {
    byte[] bytes = new byte[end()];
    buffer.getBytes(0, bytes);
    Reply reply = new Reply(Reply.Status.RESULT, new UnsafeBuffer(bytes));
    if (answering == 0) {
      present.replies().reply(present.request(), reply);
      return;
    }
    List<Waiting> all = waiting.remove(answering);
    if (all != null) {
      all.forEach(one -> one.replies().reply(one.request(), reply));
    }
  }

  @Override
  public void onParked(long requestSequence) {
    List<Waiting> all = new ArrayList<>();
    all.add(present);
    waiting.put(requestSequence, all);
  }

  @Override
  public void onAttached(long requestSequence, long parkedSequence) {
    waiting.computeIfAbsent(parkedSequence, unused -> new ArrayList<>()).add(present);
  }
}
