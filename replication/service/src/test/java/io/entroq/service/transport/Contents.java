package io.entroq.service.transport;

import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.entroq.codec.wire.published.v1.TasksRequest;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.V1Docs;
import java.util.ArrayList;
import java.util.List;

/** All that a server holds, but for ages, which pass. */
final class Contents {
  private Contents() {}

  static List<Object> of(V1 v1, V1Docs docs) {
    List<Object> all = new ArrayList<>();
    v1.stats(QueuesRequest.newBuilder())
        .forEach(
            queue -> {
              all.add(queue.toBuilder().clearOldestAvailableMs().build());
              all.addAll(v1.tasks(TasksRequest.newBuilder().setQueue(queue.getName())));
            });
    docs.namespaces(NamespacesRequest.newBuilder())
        .forEach(
            namespace -> {
              all.add(namespace);
              all.addAll(docs.docs(DocQuery.newBuilder().setNamespace(namespace.getName())));
            });
    return all;
  }
}
