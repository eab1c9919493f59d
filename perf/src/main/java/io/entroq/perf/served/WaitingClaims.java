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

/** What claims that wait, each on a queue of its own, take of a server: memory and processor. */
final class WaitingClaims {
  private static final int CONNECTIONS = 10;
  private static final long LEASE_MS = 60_000;
  private static final long LOOK_SECONDS = 4;

  private final ServerProcess server;
  private final Connections connections;
  private final RunLengths lengths;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  WaitingClaims(ServerProcess server, Connections connections, RunLengths lengths) {
    this.server = server;
    this.connections = connections;
    this.lengths = lengths;
  }

  void measure(Report report) throws IOException, InterruptedException {
    List<ManagedChannel> channels = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      channels.add(connections.connect(server.port()));
    }
    // One on each connection first, so that what connections take is not counted.
    begin(channels, 0, CONNECTIONS);
    Thread.sleep(1_000);
    final ServerMemory before = server.memory();
    begin(channels, CONNECTIONS, CONNECTIONS + lengths.waitingClaims());
    Thread.sleep(2_000);
    ServerMemory each = server.memory().minus(before);
    Thread.sleep(1_000);
    long processorNs = server.processorTime().toNanos();
    TimeUnit.SECONDS.sleep(LOOK_SECONDS);
    double busy = (server.processorTime().toNanos() - processorNs) / (double) LOOK_SECONDS / 1e9;
    if (failure.get() != null) {
      throw new IllegalStateException("a claim did not wait", failure.get());
    }
    channels.forEach(ManagedChannel::shutdownNow);
    tell(each, busy, report);
  }

  private void begin(List<ManagedChannel> channels, int first, int end) {
    for (int i = first; i < end; i++) {
      ClientCalls.asyncUnaryCall(
          channels.get(i % channels.size()).newCall(Messages.CLAIM, CallOptions.DEFAULT),
          Messages.claim("waiting " + i, 1, LEASE_MS),
          new Unanswered());
    }
  }

  private void tell(ServerMemory all, double busy, Report report) {
    double claims = lengths.waitingClaims();
    new Table("a claim that waits, of " + lengths.waitingClaims(), "bytes")
        .row("heap", all.heap() / claims)
        .row("direct buffers", all.direct() / claims)
        .row("resident, without mapped files", all.anonymous() / claims)
        .print();
    Report.note("while they wait, the server takes %.4f of a processor", busy);
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("claims", lengths.waitingClaims());
    figures.put("heapBytes", all.heap() / claims);
    figures.put("directBytes", all.direct() / claims);
    figures.put("residentBytes", all.anonymous() / claims);
    figures.put("processors", busy);
    report.figure("a waiting claim", figures);
  }

  private final class Unanswered implements StreamObserver<ClaimResponse> {
    @Override
    public void onNext(ClaimResponse claimed) {
      failure.set(new IllegalStateException("claimed " + claimed));
    }

    @Override
    public void onError(Throwable t) {
      // That of the end, which the client asks for.
      if (Status.fromThrowable(t).getCode() != Status.Code.UNAVAILABLE) {
        failure.compareAndSet(null, t);
      }
    }

    @Override
    public void onCompleted() {}
  }
}
