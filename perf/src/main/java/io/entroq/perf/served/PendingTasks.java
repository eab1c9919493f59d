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

/** The memory that a server needs for small pending tasks. */
final class PendingTasks {
  private static final int BATCH = 1_000;
  private static final int VALUE_BYTES = 28;
  private static final int FLOOR = 250;

  private final ServerProcess server;
  private final Connections connections;
  private final int tasks;

  PendingTasks(ServerProcess server, Connections connections, int tasks) {
    this.server = server;
    this.connections = connections;
    this.tasks = tasks;
  }

  void measure(Report report) throws IOException {
    ManagedChannel channel = connections.connect(server.port());
    TaskData task =
        TaskData.newBuilder().setQueue("pending").setValue(Messages.value(VALUE_BYTES)).build();
    ModifyRequest insert = Messages.insert(task, BATCH);
    // So that code is compiled, and heap and buffers have grown, before it counts.
    insert(channel, insert, tasks / 2);
    ServerProcess.Memory before = server.memory();
    insert(channel, insert, tasks);
    ServerProcess.Memory all = server.memory().minus(before);
    channel.shutdownNow();
    new Table(
            "a pending task of %,d, value of %d bytes".formatted(tasks, task.getValue().size()),
            "bytes",
            "floor")
        .row("direct buffers, which hold tasks", each(all.direct()), FLOOR)
        .row("heap", each(all.heap()), "")
        .row("resident, without mapped files", each(all.anonymous()), "")
        .row("resident, with mapped files", each(all.resident()), "")
        .print();
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("tasks", tasks);
    figures.put("directBytes", each(all.direct()));
    figures.put("heapBytes", each(all.heap()));
    figures.put("residentAnonymousBytes", each(all.anonymous()));
    figures.put("residentBytes", each(all.resident()));
    report.figure("a pending task", figures);
  }

  private double each(long bytes) {
    return (double) bytes / tasks;
  }

  private static void insert(ManagedChannel channel, ModifyRequest batch, int tasks) {
    for (int i = 0; i < tasks; i += BATCH) {
      ClientCalls.blockingUnaryCall(channel, Messages.MODIFY, CallOptions.DEFAULT, batch);
    }
  }
}
