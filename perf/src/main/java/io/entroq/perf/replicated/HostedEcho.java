package io.entroq.perf.replicated;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.logbuffer.Header;
import io.entroq.cluster.member.BareMember;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.perf.report.LatencyTable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A member whose service is an echo, and a session with its cluster. The calling thread does all
 * the work of a client, and idles like the threads of a member.
 */
final class HostedEcho implements Hosted, EgressListener {
  private static final int BYTES_MAX = 1 << 20;
  private static final long KEEP_ALIVE_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long ANSWER_NS_MAX = TimeUnit.SECONDS.toNanos(60);

  private final BareMember member;
  private final IdleStrategy idle;
  private final UnsafeBuffer message = new UnsafeBuffer(new byte[BYTES_MAX]);
  private final ArrayDeque<Long> sentNs = new ArrayDeque<>();
  private volatile boolean isClosing;
  private AeronCluster session;
  private Histogram callNs;

  HostedEcho(MemberConfig config) {
    member = BareMember.start(config, new EchoService());
    idle = member.idle();
    Thread keepAlive = new Thread(this::keepAlive, "echo-session");
    keepAlive.setDaemon(true);
    keepAlive.start();
  }

  /** Keeps the session open between loads. */
  private void keepAlive() {
    try {
      while (!isClosing) {
        synchronized (this) {
          AeronCluster open = session();
          open.pollEgress();
          open.sendKeepAlive();
        }
        TimeUnit.NANOSECONDS.sleep(KEEP_ALIVE_NS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private AeronCluster session() {
    if (session == null || session.isClosed()) {
      session = AeronCluster.connect(member.session().egressListener(this));
    }
    return session;
  }

  @Override
  public MemberStatus status() {
    return member.status();
  }

  @Override
  public Outcome alone(Duration duration, int bytes) {
    return flood(1, duration, bytes);
  }

  @Override
  public Outcome batches(int callers, Duration duration, int bytes) {
    return flood(callers, duration, bytes);
  }

  @Override
  public synchronized Outcome flood(int inFlight, Duration duration, int bytes) {
    callNs = LatencyTable.histogram();
    AeronCluster open = session();
    long startNs = System.nanoTime();
    long endNs = startNs + duration.toNanos();
    idle.reset();
    while (System.nanoTime() - endNs < 0) {
      int done = 0;
      while (sentNs.size() < inFlight && open.offer(message, 0, bytes) > 0) {
        sentNs.add(System.nanoTime());
        done++;
      }
      if (done > 0) {
        member.sent();
      }
      idle.idle(done + open.pollEgress());
    }
    final Outcome outcome = Outcome.of(callNs, System.nanoTime() - startNs);
    while (!sentNs.isEmpty()) {
      if (System.nanoTime() - endNs > ANSWER_NS_MAX) {
        throw new IllegalStateException(sentNs.size() + " messages have no answer");
      }
      idle.idle(open.pollEgress());
    }
    return outcome;
  }

  @Override
  public void onMessage(
      long clusterSessionId,
      long timestamp,
      DirectBuffer buffer,
      int offset,
      int length,
      Header header) {
    callNs.recordValue(System.nanoTime() - sentNs.remove());
  }

  @Override
  public void commit() {
    flood(1, Duration.ofNanos(1), EchoService.ANSWER_BYTES);
  }

  @Override
  public void close() {
    isClosing = true;
    member.close();
  }
}
