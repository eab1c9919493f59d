package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/** A doc, not validated. Immutable. */
public record DocItem(String id, String key, String secondaryKey, Value value) implements Item {
  private static final int FRAME_BYTES = 48;

  @Override
  public long bytes() {
    return FRAME_BYTES + value.size() + 3L * (id.length() + key.length() + secondaryKey.length());
  }
}
