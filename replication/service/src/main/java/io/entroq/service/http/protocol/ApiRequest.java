package io.entroq.service.http.protocol;

import io.entroq.service.call.Headers;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A complete request. */
public final class ApiRequest {
  private static final String UTF_8 = "utf-8";

  private final HttpRequest head;
  private final byte[] body;
  private final String path;
  private final String query;

  /**
   * @param body not copied
   */
  public ApiRequest(HttpRequest head, byte[] body) {
    this.head = head;
    this.body = body;
    int mark = head.uri().indexOf('?');
    path = path(head.uri());
    query = mark < 0 ? "" : head.uri().substring(mark + 1);
  }

  /** The path of a request target, which may be an absolute URL. */
  public static String path(String target) {
    int mark = target.indexOf('?');
    String location = mark < 0 ? target : target.substring(0, mark);
    int authority = location.startsWith("/") ? -1 : location.indexOf("://");
    if (authority < 0) {
      return location;
    }
    int slash = location.indexOf('/', authority + 3);
    return slash < 0 ? "/" : location.substring(slash);
  }

  public String verb() {
    return head.method().name();
  }

  public String path() {
    return path;
  }

  /** The query string, still encoded. */
  public String query() {
    return query;
  }

  public byte[] body() {
    return body;
  }

  public Headers headers() {
    return new Headers() {
      @Override
      public Optional<String> first(String name) {
        return header(name);
      }

      @Override
      public List<String> all(String name) {
        return head.headers().getAll(name);
      }
    };
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(head.headers().get(name));
  }

  /** Whether the body is still encoded. */
  public boolean isEncoded() {
    return header(HttpHeaderNames.CONTENT_ENCODING.toString())
        .filter(encoding -> !encoding.equalsIgnoreCase("identity"))
        .isPresent();
  }

  /** The media type of the body in lower case, without a UTF-8 charset; empty if there is none. */
  public Optional<String> mediaType() {
    return header(HttpHeaderNames.CONTENT_TYPE.toString())
        .map(type -> type.trim().toLowerCase(Locale.ROOT))
        .filter(type -> !type.isEmpty())
        .map(ApiRequest::withoutUtf8);
  }

  private static String withoutUtf8(String type) {
    int mark = type.indexOf(';');
    if (mark < 0) {
      return type;
    }
    String parameter = type.substring(mark + 1).replace("\"", "").replace(" ", "");
    return parameter.isEmpty() || parameter.equals("charset=" + UTF_8)
        ? type.substring(0, mark).trim()
        : type;
  }
}
