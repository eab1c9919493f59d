package io.entroq.server.cli.history;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.effect.EffectParts;
import io.entroq.codec.effect.EffectReader;
import java.io.IOException;

/** What became of a task between two points. */
final class TaskDifference {
  private final String id;

  /** The queue at the begin; empty if it did not exist. */
  private final String firstQueue;

  private String queue;
  private boolean isThere;
  private int claims;
  private int failures;
  private int lapses;
  private int version;
  private int attempt;
  private String dueTime;
  private String err;

  /** Begins before the first effect. */
  TaskDifference(EffectReader first) {
    id = EffectFields.id(first);
    String former = EffectFields.formerQueue(first);
    boolean isNew = first.kind() == EffectKinds.INSERTED;
    firstQueue = isNew ? "" : former.isEmpty() ? EffectFields.queue(first) : former;
  }

  void add(EffectReader effect) {
    queue = EffectFields.queue(effect);
    version = effect.version();
    attempt = effect.attempt();
    dueTime = EffectFields.time(effect.dueMs());
    err = EffectFields.part(effect, EffectParts.ERR);
    isThere = true;
    switch (effect.kind()) {
      case EffectKinds.CLAIMED -> claims++;
      case EffectKinds.FAILED -> failures++;
      case EffectKinds.LAPSED -> lapses++;
      case EffectKinds.DELETED, EffectKinds.EXPIRED, EffectKinds.DROPPED -> isThere = false;
      default -> {
        // Changes only what the task has now.
      }
    }
  }

  /** What changed, in a word. */
  private String change() {
    boolean wasThere = !firstQueue.isEmpty();
    if (wasThere && isThere) {
      return firstQueue.equals(queue) ? "changed" : "moved";
    }
    return isThere ? "created" : wasThere ? "gone" : "created and gone";
  }

  /** The cells of its row. */
  Object[] row() {
    return new Object[] {
      change(),
      id,
      firstQueue.isEmpty() ? "-" : firstQueue,
      queue,
      version,
      claims,
      failures,
      lapses
    };
  }

  /** Writes the members of an object. */
  void write(JsonGenerator json) throws IOException {
    json.writeStringField("id", id);
    json.writeStringField("change", change());
    if (!firstQueue.isEmpty()) {
      json.writeStringField("formerQueue", firstQueue);
    }
    json.writeStringField("queue", queue);
    json.writeNumberField("claimed", claims);
    json.writeNumberField("failed", failures);
    json.writeNumberField("lapsed", lapses);
    json.writeNumberField("version", version);
    json.writeStringField("at", dueTime);
    json.writeNumberField("attempt", attempt);
    json.writeStringField("err", err);
  }
}
