package io.entroq.server.settings;

/**
 * A value that a user has set.
 *
 * @param text as it was written
 */
public record ExplicitValue(Setting<?> setting, String text, ValueSource source) {}
