package io.entroq.service.http.protocol;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonReader;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.protojson.ParameterReader;
import io.entroq.service.translation.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** REST: the request is in the query parameters, or a JSON body. */
public final class RestDialect implements Dialect {
  private final boolean isInQuery;

  public RestDialect(boolean isInQuery) {
    this.isInQuery = isInQuery;
  }

  @Override
  public void read(ApiRequest request, Message.Builder message) {
    if (!isInQuery) {
      JsonReader.read(request.body(), message);
      return;
    }
    ParameterReader.read(QueryParameters.of(request.query()), message);
    if (message instanceof TasksRequest.Builder tasks) {
      addJoinedIds(tasks);
    }
  }

  /**
   * The TypeScript client joins ids with commas. Few real ids contain a comma, and unknown ids are
   * ignored.
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
  public OptionalLong deadline(ApiRequest request) {
    return Deadlines.rest(request);
  }

  @Override
  public boolean allowsBlanks() {
    return true;
  }

  @Override
  public ApiResponse response(Message message, Defaults defaults) {
    return ApiResponse.json(200, JsonWriter.write(message, defaults));
  }

  @Override
  public ApiResponse refusal(Refusal refusal, Defaults defaults) {
    return ApiResponse.json(
        StatusCodes.status(ErrorJson.code(refusal)), ErrorJson.rest(refusal, defaults));
  }
}
