package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The memory and processor time that a server needs for waiting claims, each on its own queue. */
final class WaitingClaims {
  private static final int CONNECTIONS = 10;
  private static final long LEASE_MS = 60_000;
  private static final long IDLE_SECONDS = 4;

  private final ServerProcess server;
  private final Connections connections;
  private final int claims;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  WaitingClaims(ServerProcess server, Connections connections, int claims) {
    this.server = server;
    this.connections = connections;
    this.claims = claims;
  }

  void measure(Report report) throws IOException, InterruptedException {
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(connections.connect(server.port()));
    }
    // One on each connection first, so that the memory of connections does not count.
    begin(channels, 0, CONNECTIONS);
    Thread.sleep(1_000);
    final ServerProcess.Memory before = server.memory();
    begin(channels, CONNECTIONS, CONNECTIONS + claims);
    Thread.sleep(2_000);
    ServerProcess.Memory all = server.memory().minus(before);
    Thread.sleep(1_000);
    long processorNs = server.processorTime().toNanos();
    TimeUnit.SECONDS.sleep(IDLE_SECONDS);
    double busy = (server.processorTime().toNanos() - processorNs) / (double) IDLE_SECONDS / 1e9;
    if (failure.get() != null) {
      throw new IllegalStateException("a claim failed to wait", failure.get());
    }
    channels.forEach(ManagedChannel::shutdownNow);
    print(all, busy, report);
  }

  private void begin(List<ManagedChannel> channels, int first, int end) {
    for (int i = first; i < end; i++) {
      ClientCalls.asyncUnaryCall(
          channels.get(i % channels.size()).newCall(Messages.CLAIM, CallOptions.DEFAULT),
          Messages.claim("waiting " + i, 1, LEASE_MS),
          new Unanswered());
    }
  }

  private void print(ServerProcess.Memory all, double busy, Report report) {
    new Table("a waiting claim, of " + claims, "bytes")
        .row("heap", each(all.heap()))
        .row("direct buffers", each(all.direct()))
        .row("resident, without mapped files", each(all.anonymous()))
        .print();
    Report.note("while they wait, the server uses %.4f of a processor", busy);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("claims", claims);
    figures.put("heapBytes", each(all.heap()));
    figures.put("directBytes", each(all.direct()));
    figures.put("residentBytes", each(all.anonymous()));
    figures.put("processors", busy);
    report.figure("a waiting claim", figures);
  }

  private double each(long bytes) {
    return (double) bytes / claims;
  }

  private final class Unanswered implements StreamObserver<ClaimResponse> {
    @Override
    public void onNext(ClaimResponse claimed) {
      failure.set(new IllegalStateException("claimed " + claimed));
    }

    @Override
    public void onError(Throwable t) {
      // Unavailable: the client closes its channels at the end.
      if (Status.fromThrowable(t).getCode() != Status.Code.UNAVAILABLE) {
        failure.compareAndSet(null, t);
      }
    }

    @Override
    public void onCompleted() {}
  }
}
