package io.entroq.service.http;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.service.edge.Refusal;
import io.entroq.service.json.JsonReader;
import io.entroq.service.json.JsonWriter;
import io.entroq.service.json.ParameterReader;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** REST: what is asked for stands in the address, or in a body of JSON. */
final class RestDialect implements Dialect {
  private final boolean isInAddress;

  RestDialect(boolean isInAddress) {
    this.isInAddress = isInAddress;
  }

  @Override
  public void read(Request request, Message.Builder message) {
    if (!isInAddress) {
      JsonReader.read(request.body(), message);
      return;
    }
    ParameterReader.read(Parameters.of(request.query()), message);
    if (message instanceof TasksRequest.Builder tasks) {
      addJoinedIds(tasks);
    }
  }

  /**
   * The client for TypeScript sends a list of ids as one, with commas in between. Hardly any id has
   * a comma, and those that are none are passed over.
   */
  private static void addJoinedIds(TasksRequest.Builder tasks) {
    List<String> ids = new ArrayList<>();
    for (String id : tasks.getTaskIdList()) {
      ids.add(id);
      if (id.indexOf(',') >= 0) {
        ids.addAll(List.of(id.split(",", -1)));
      }
    }
    ids.removeIf(String::isEmpty);
    if (ids.size() > tasks.getTaskIdCount()) {
      tasks.clearTaskId().addAllTaskId(ids);
    }
  }

  @Override
  public OptionalLong deadline(Request request) {
    return Deadlines.rest(request);
  }

  @Override
  public Response answer(Message message) {
    return Response.json(200, JsonWriter.write(message));
  }

  @Override
  public Response refusal(Refusal refusal) {
    return Response.json(Codes.status(refusal.code()), Errors.rest(refusal));
  }
}
