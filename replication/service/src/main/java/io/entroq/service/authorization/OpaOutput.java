package io.entroq.service.authorization;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the policy's output (contract 4.4). Fails closed: malformed output denies. Skips unknown
 * fields; null means absent.
 */
final class OpaOutput {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final JsonParser json;
  private final DenialDetails details = new DenialDetails();
  private final List<DeniedItem> failed = new ArrayList<>();
  private boolean isDefined;
  private boolean isAllowed;

  private OpaOutput(JsonParser json) {
    this.json = json;
  }

  /**
   * @throws IOException if the response is not a valid output
   */
  static Decision read(byte[] response) throws IOException {
    try (JsonParser json = JSON.createParser(response)) {
      OpaOutput output = new OpaOutput(json);
      output.readResponse();
      return output.decision();
    }
  }

  private Decision decision() {
    if (!isDefined) {
      return Decision.undecided("the policy does not exist");
    }
    return isAllowed ? Decision.ALLOWED : Decision.denied(details.build(), List.copyOf(failed));
  }

  private void readResponse() throws IOException {
    require(json.nextToken(), JsonToken.START_OBJECT, "the response");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      if (!isNull() && field.equals("result")) {
        isDefined = true;
        readResult();
      } else {
        json.skipChildren();
      }
    }
    if (json.nextToken() != null) {
      throw new JsonParseException(json, "the response is followed by more");
    }
  }

  private void readResult() throws IOException {
    require(json.currentToken(), JsonToken.START_OBJECT, "result");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      if (isNull()) {
        continue;
      }
      switch (field) {
        case "allow" -> isAllowed = json.getBooleanValue();
        case "errors" -> readEach("errors", () -> details.error(text("errors")));
        case "failed" -> readEach("failed", this::readQueue);
        case "failed_namespaces" -> readEach("failed_namespaces", this::readNamespace);
        default -> json.skipChildren();
      }
    }
  }

  private void readQueue() throws IOException {
    DeniedItem item = readFailed("failed");
    details.queue(item);
    failed.add(item);
  }

  private void readNamespace() throws IOException {
    details.namespace(readFailed("failed_namespaces"));
  }

  private DeniedItem readFailed(String list) throws IOException {
    require(json.currentToken(), JsonToken.START_OBJECT, list);
    DeniedItem item = new DeniedItem();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      if (isNull()) {
        continue;
      }
      switch (field) {
        case "exact" -> item.exact = text(field);
        case "prefix" -> item.prefix = text(field);
        case "actions" -> readEach(field, () -> item.actions.add(text(field)));
        default -> json.skipChildren();
      }
    }
    return item;
  }

  private void readEach(String list, Item item) throws IOException {
    require(json.currentToken(), JsonToken.START_ARRAY, list);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      item.read();
    }
  }

  /** Advances to the value of a field; returns whether it is null. */
  private boolean isNull() throws IOException {
    return json.nextToken() == JsonToken.VALUE_NULL;
  }

  private String text(String field) throws IOException {
    require(json.currentToken(), JsonToken.VALUE_STRING, field);
    return json.getText();
  }

  private void require(JsonToken token, JsonToken expected, String what) throws IOException {
    if (token != expected) {
      throw new JsonParseException(
          json, "%s: expected %s, got %s".formatted(what, expected, token));
    }
  }

  /** Reads the current value. */
  @FunctionalInterface
  private interface Item {
    void read() throws IOException;
  }
}
