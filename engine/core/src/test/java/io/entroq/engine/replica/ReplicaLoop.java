package io.entroq.engine.replica;

import io.entroq.engine.embedded.Await;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.GatewaySubject;
import io.entroq.engine.gateway.EffectFeed;
import io.entroq.engine.local.LocalEntroQ;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A replica without others, whose commands are in order as soon as they are proposed. */
final class ReplicaLoop implements GatewaySubject {
  private final ReplicatedEngine engine =
      new ReplicatedEngine(
          EmbeddedConfig.inMemory().build(), System::currentTimeMillis, Duration.ofMinutes(10));
  private final ArrayDeque<byte[]> ordered = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "replica-loop");
  private volatile boolean isClosing;
  private volatile int parkedCount;

  /** How often there has been nothing to do. */
  private final AtomicLong quiet = new AtomicLong();

  ReplicaLoop() {
    engine.applier().begin(new StateMachine(StateMachineConfig.DEFAULT));
    engine.proposer().proposeGenesis();
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    Applier applier = engine.applier();
    while (!isClosing) {
      int done = engine.proposer().doWork(this::offer);
      for (byte[] next = ordered.poll(); next != null; next = ordered.poll()) {
        applier.apply(new UnsafeBuffer(next), 0, next.length, System.currentTimeMillis());
      }
      done += applier.doWork(Contact.LEADER);
      parkedCount = applier.machine().parkedCount();
      if (done == 0) {
        quiet.incrementAndGet();
        engine.proposer().await(1_000_000);
      }
    }
  }

  private boolean offer(DirectBuffer buffer, int offset, int length) {
    byte[] message = new byte[length];
    buffer.getBytes(offset, message);
    return ordered.add(message);
  }

  @Override
  public LocalEntroQ queue() {
    return engine.queue();
  }

  EffectFeed feed() {
    return engine.feed();
  }

  @Override
  public int parkedCount() {
    awaitQuiet();
    return parkedCount;
  }

  @Override
  public void awaitQuiet() {
    // The second time began after this was called.
    long before = quiet.get();
    Await.until("the replica has nothing to do", () -> quiet.get() >= before + 2);
  }

  @Override
  public void close() {
    isClosing = true;
    engine.close();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    engine.end();
  }
}
