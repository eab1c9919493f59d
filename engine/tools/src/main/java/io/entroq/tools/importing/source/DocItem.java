package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/**
 * A doc. Immutable; nothing in it has been checked.
 *
 * @param id its id, which its namespace has once
 * @param key by which it is found
 * @param secondaryKey tells docs of one key apart
 * @param value what it holds
 */
public record DocItem(String id, String key, String secondaryKey, Value value) implements Item {
  private static final int FRAME_BYTES = 48;

  @Override
  public long bytes() {
    return FRAME_BYTES + value.size() + 3L * (id.length() + key.length() + secondaryKey.length());
  }
}
