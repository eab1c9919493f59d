package io.entroq.service.authz;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What requests want to do, item by item. */
final class Demands {
  private Demands() {}

  /** To claim from queues. */
  static List<Demand> claim(ClaimRequest request) {
    return request.getQueuesList().stream().map(queue -> Demand.of(Action.CLAIM, queue)).toList();
  }

  /** To list a queue. */
  static List<Demand> list(String queue) {
    return List.of(Demand.of(Action.READ, queue));
  }

  /** To list tasks, each in the queue where it was found; if none was, something all the same. */
  static List<Demand> list(Places places) {
    return places.tasks().isEmpty()
        ? list("")
        : read(places.tasks().values().stream().map(Task::getQueue));
  }

  /** To read queues, each once. */
  static List<Demand> read(Stream<String> queues) {
    return queues.distinct().map(queue -> Demand.of(Action.READ, queue)).toList();
  }

  /** To know what there is: by names, by how they begin, or all. */
  static List<Demand> look(List<String> exact, List<String> prefixes) {
    List<Demand> demands = new ArrayList<>();
    exact.forEach(name -> demands.add(Demand.of(Action.READ, name)));
    prefixes.forEach(prefix -> demands.add(Demand.ofPrefix(Action.READ, prefix)));
    return demands.isEmpty() ? List.of(Demand.ofPrefix(Action.READ, "")) : demands;
  }

  /** What a Modify does to docs. */
  static List<Demand> docs(ModifyRequest request) {
    List<Demand> demands = new ArrayList<>();
    request
        .getDocInsertsList()
        .forEach(doc -> demands.add(Demand.of(Action.INSERT, doc.getNamespace())));
    request.getDocChangesList().forEach(change -> change(change, demands));
    request
        .getDocDeletesList()
        .forEach(doc -> demands.add(Demand.of(Action.DELETE, doc.getNamespace())));
    request
        .getDocDependsList()
        .forEach(doc -> demands.add(Demand.of(Action.READ, doc.getNamespace())));
    return demands;
  }

  /** A doc does not leave its namespace; but whoever says that it should needs both. */
  private static void change(DocChange change, List<Demand> demands) {
    String from = change.getOldId().getNamespace();
    String to = change.getNewData().getNamespace();
    if (to.isEmpty() || to.equals(from)) {
      demands.add(Demand.of(Action.CHANGE, from));
    } else {
      demands.add(Demand.of(Action.DELETE, from));
      demands.add(Demand.of(Action.INSERT, to));
    }
  }
}
