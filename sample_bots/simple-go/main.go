// A bot for Gin Arena: the server. What it plays is decided in policy.go; join.go dials in where nobody can dial.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	pb "bot/arenav1"

	"google.golang.org/grpc"
)

// player serves arena.v1.Player.
type player struct {
	pb.UnimplementedPlayerServer
	hangUp func() // called when a stream has ended
}

// introduction is what the bot says of itself.
var introduction = &pb.HelloResponse{
	ProtocolVersion: 1,
	Name:            "simple-go",
	Version:         "1.0",
	Games:           []pb.Game{pb.Game_GAME_GIN, pb.Game_GAME_THREE_HAND, pb.Game_GAME_OKLAHOMA},
}

func (*player) Hello(context.Context, *pb.HelloRequest) (*pb.HelloResponse, error) {
	return introduction, nil
}

// Play answers each request that has turns with one response, until the arena closes the stream or is gone.
func (p *player) Play(stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error {
	defer p.hangUp()
	for {
		request, err := stream.Recv()
		if err != nil {
			return nil
		}
		if len(request.Turns) == 0 {
			continue
		}
		if err := stream.Send(answer(request)); err != nil {
			return nil
		}
	}
}

func answer(request *pb.PlayRequest) *pb.PlayResponse {
	defer func() { // a bot that has failed ends, with its message
		if failure := recover(); failure != nil {
			log.Fatalf("%v\n%s", failure, debug.Stack())
		}
	}()
	response := &pb.PlayResponse{}
	for _, turn := range request.Turns {
		response.Decisions = append(response.Decisions, decide(turn))
	}
	return response
}

func main() {
	log.SetFlags(0)
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		os.Exit(0)
	}()
	if arena := os.Getenv("ARENA_JOIN"); arena != "" && os.Getenv("ARENA_LISTEN") == "" {
		join(arena)
	}
	network, address, _ := strings.Cut(os.Getenv("ARENA_LISTEN"), ":")
	if (network != "unix" && network != "tcp") || address == "" {
		log.Fatal("set ARENA_LISTEN to unix:/path or tcp:host:port, as the arena does, or ARENA_JOIN to host:port of one")
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		log.Fatal(err)
	}
	if network == "tcp" {
		fmt.Printf("ARENA-READY %s\n", listener.Addr())
	}

	server := grpc.NewServer()
	stop := sync.OnceFunc(func() { go server.GracefulStop() }) // lets the last answers leave

	hangUp := stop
	if network == "tcp" && !strings.HasSuffix(address, ":0") {
		hangUp = func() {} // started by hand on a port of its own: wait for the next arena
	}
	pb.RegisterPlayerServer(server, &player{hangUp: hangUp})
	if err := server.Serve(listener); err != nil {
		log.Fatal(err)
	}
}
