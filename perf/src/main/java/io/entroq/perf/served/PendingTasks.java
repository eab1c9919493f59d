package io.entroq.perf.served;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Table;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What small tasks that are pending take of a server's memory. */
final class PendingTasks {
  private static final int BATCH = 1_000;
  private static final int VALUE_BYTES = 28;
  private static final double FLOOR = 250;

  private final ServerProcess server;
  private final Connections connections;
  private final RunLengths lengths;

  PendingTasks(ServerProcess server, Connections connections, RunLengths lengths) {
    this.server = server;
    this.connections = connections;
    this.lengths = lengths;
  }

  void measure(Report report) throws IOException {
    ManagedChannel channel = connections.connect(server.port());
    TaskData task =
        TaskData.newBuilder().setQueue("pending").setValue(Messages.value(VALUE_BYTES)).build();
    ModifyRequest insert = Messages.insert(task, BATCH);
    // The code is compiled, and the heap and the buffers have their size, before it counts.
    insert(channel, insert, lengths.pendingTasks() / 2);
    ServerMemory before = server.memory();
    insert(channel, insert, lengths.pendingTasks());
    ServerMemory all = server.memory().minus(before);
    channel.shutdownNow();
    double tasks = lengths.pendingTasks();
    new Table(
            "a pending task of %,d, value of %d bytes"
                .formatted(lengths.pendingTasks(), task.getValue().size()),
            "bytes",
            "floor")
        .row("direct buffers, where tasks are", all.direct() / tasks, FLOOR)
        .row("heap", all.heap() / tasks, "")
        .row("resident, without mapped files", all.anonymous() / tasks, "")
        .row("resident, with mapped files", all.resident() / tasks, "")
        .print();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("tasks", lengths.pendingTasks());
    figures.put("directBytes", all.direct() / tasks);
    figures.put("heapBytes", all.heap() / tasks);
    figures.put("residentAnonymousBytes", all.anonymous() / tasks);
    figures.put("residentBytes", all.resident() / tasks);
    report.figure("a pending task", figures);
  }

  private static void insert(ManagedChannel channel, ModifyRequest batch, int tasks) {
    for (int i = 0; i < tasks; i += BATCH) {
      ClientCalls.blockingUnaryCall(channel, Messages.MODIFY, CallOptions.DEFAULT, batch);
    }
  }
}
