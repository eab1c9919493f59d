package io.entroq.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/** Names of OpenTelemetry's conventions for messaging, and a few of our own. */
final class TaskAttributes {
  static final String SEND = "send";
  static final String PROCESS = "process";

  static final AttributeKey<String> TYPE = AttributeKey.stringKey("messaging.operation.type");
  static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
  static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");
  static final AttributeKey<Long> COUNT = AttributeKey.longKey("messaging.batch.message_count");
  static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("entroq.task.attempt");
  static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("entroq.outcome");

  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> NAME =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");

  private TaskAttributes() {}

  /**
   * @param destination a queue; empty if there are several or none
   */
  static Attributes of(String operation, String destination) {
    AttributesBuilder attributes = Attributes.builder().put(SYSTEM, "entroq").put(NAME, operation);
    return destination.isEmpty()
        ? attributes.build()
        : attributes.put(DESTINATION, destination).build();
  }

  static String spanName(String operation, String destination) {
    return destination.isEmpty() ? operation : operation + " " + destination;
  }
}
