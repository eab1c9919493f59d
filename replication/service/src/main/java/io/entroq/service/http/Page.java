package io.entroq.service.http;

/**
 * A page for people and for those who watch over servers.
 *
 * @param status of HTTP
 * @param contentType what the content is
 * @param content in UTF-8
 */
public record Page(int status, String contentType, String content) {}
