package io.entroq.server.settings;

/**
 * What somebody has said of a setting.
 *
 * @param text as it was written
 */
public record Given(Setting<?> setting, String text, Source source) {}
